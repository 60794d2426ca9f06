import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Advances the store's time.
struct StoreAdvanceCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Move the store's time forward; everything due on the way happens in order.",
        discussion: """
            A span of more than 30 days is moved in parts of 30 days. After each part standard error says where the time is, and \
            control-C stops there.

              tillroll store advance 30d
              tillroll store advance 1y

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "How far: 90s, 15m, 12h, 30d, 2w or 1y; ten years at most.") var span: SpanOption
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ClockReply {
        try await store.advance(seconds: span.seconds)
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
