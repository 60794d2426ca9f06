import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Advances the store's time to a date.
struct StoreJumpCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "jump",
        abstract: "Move the store's time to a date that is still to come.",
        discussion: """
            The time moves in parts of 30 days. After each part standard error says where it is, and control-C stops there.

              tillroll store jump 2030-01-31T12:00:00Z

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The date, such as 2030-01-31 or 2030-01-31T12:00:00Z.") var date: DateOption
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ClockReply {
        try await store.jump(to: date.timestamp)
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
