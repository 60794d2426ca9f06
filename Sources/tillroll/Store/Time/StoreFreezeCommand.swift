import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Freezes the store's time.
struct StoreFreezeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stop the store's time; `speed 1` lets it go on.",
        discussion: """
              tillroll store freeze

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ClockReply {
        try await store.call(ControlEndpoints.setClock, ClockRequest(factor: 0))
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
