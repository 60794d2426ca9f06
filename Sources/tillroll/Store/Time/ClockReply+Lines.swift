import PurchaseModel
import PurchaseProtocol

extension ClockReply {
    /// The lines that show the store's time.
    func lines(_ style: TerminalStyle) -> [String] {
        let speed = factor == 0 ? "stands still" : factor == 1 ? "goes at real speed" : "goes \(factor) times as fast"
        return ["\(now)  \(style.faint(speed))"]
    }
}
