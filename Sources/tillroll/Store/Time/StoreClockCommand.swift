import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Shows the store's time.
struct StoreClockCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the store's time and how it goes.",
        discussion: """
              tillroll store clock

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ClockReply {
        try await store.call(ControlEndpoints.clock)
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
