import ArgumentParser
import PurchaseModel
import PurchaseProtocol

/// Sets the store's time rate.
struct StoreTimeRateCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed",
        abstract: "Make the store's time go faster, or choose how long periods of new subscriptions take.",
        discussion: """
            The rates are those of Xcode: 0 by the calendar; 1 to 6 a day in 1 hour, 30 or 5 minutes, 1 minute, 30 seconds or 1 \
            second; 10 to 13 and 15 a month in 60, 30, 15 or 5 minutes or 30 seconds; 1000 to 1005 every period in 15, 5 or 1 \
            minutes, 30, 10 or 2 seconds.

              tillroll store speed 3600
              tillroll store speed --rate 1004

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "How much faster than real time, up to a million; 1 for real time.") var factor: Double?
    @Option(help: "The _timeRate of .storekit files for subscriptions that begin from now on, 0 for the calendar.") var rate: Int?
    @OptionGroup(title: "Store") var options: StoreOptions

    func validate() throws {
        guard factor != nil || rate != nil else { throw ValidationError("Say how much faster, or which --rate.") }
        guard factor.map({ (0...1_000_000).contains($0) }) ?? true else {
            throw ValidationError("Time goes from 0 to 1000000 times as fast.")
        }
    }

    func ask(_ store: StoreClient) async throws -> ClockReply {
        try await store.call(ControlEndpoints.setClock, ClockRequest(factor: factor, timeRate: rate))
    }

    func lines(_ answer: ClockReply, _ style: TerminalStyle) -> [String] {
        answer.lines(style)
    }
}
