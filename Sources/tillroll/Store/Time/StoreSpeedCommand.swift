import ArgumentParser
import PurchaseModel

/// Makes time go faster.
struct StoreSpeedCommand: StoreAsking {
    static let configuration = CommandConfiguration(
        commandName: "speed",
        abstract: "Make the store's time go faster, or choose how long periods of new subscriptions take.",
        discussion: """
              tillroll store speed 3600
              tillroll store speed --rate 9

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "How much faster than real time, up to a million; 1 for real time.") var factor: Double?
    @Option(help: "The _timeRate of .storekit files for subscriptions that begin from now on, 0 for the calendar.") var rate: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> ClockReply {
        guard factor != nil || rate != nil else { throw ValidationError("Say how much faster, or which --rate.") }
        return try await store.call(ControlEndpoints.setClock, ClockRequest(factor: factor, timeRate: rate))
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
