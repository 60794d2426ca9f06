import ArgumentParser
import PurchaseModel
import StoreControl
import StoreProtocol

/// Shows the store's time and the speed of its clock.
struct StoreClockCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the store's time and the speed of its clock.",
        discussion: """
              tillroll store clock
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ClockReply {
        try await store.call(ControlEndpoints.clock)
    }

    func lines(_ output: ClockReply, _ style: TerminalStyle) -> [String] {
        output.lines(style)
    }
}

/// Advances the store's time by a time span, or to the next renewal or end of a grace period.
struct StoreAdvanceCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Advance the store's time, and process renewals and other events that fall due, in order.",
        discussion: """
            A span of more than 30 days is processed in parts of 30 days. After each part the command prints the store's time on \
            standard error; control-C stops between two parts. The output has the numbers of stored events during the advance; \
            with --json, the output has the members of `store clock` and happened.

              tillroll store advance 30d
              tillroll store advance 1mo
              tillroll store advance --to renewal --account jane@example.com
              tillroll store advance --to grace-end

            --to renewal advances to the first end of a period among subscriptions with auto-renew, and --to grace-end to the first end \
            of a billing grace period. Without such an end, the command fails, and the time does not change.
            """,
        exitCodes: .store
    )

    @Argument(help: "The time span, such as 90s, 15m, 12h, 30d, 2w, 1mo or 1y; ten years at most. mo is a calendar month.")
    var span: SpanOption?
    @Option(name: .customLong("to"), help: "Advance to the next change, renewal or grace-end, instead of by a time span.")
    var target: ScheduledChangeOption?
    @Option(help: "The account whose subscriptions --to considers (default: all accounts).") var account: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func validate() throws {
        guard (span == nil) != (target == nil) else {
            throw ValidationError("Give either a time span such as 30d, or --to renewal, or --to grace-end.")
        }
        guard account == nil || target != nil else { throw ValidationError("--account requires --to. Add --to renewal or --to grace-end.") }
    }

    func send(to store: StoreConnection) async throws -> TimeTravel {
        try await store.travel { store in
            if let target { return try await store.jump(to: try await store.date(of: target, account: account)) }
            guard let span else { throw ExitCode.validationFailure }
            guard let months = span.months else { return try await store.advance(seconds: span.seconds) }
            return try await store.jump(to: months.end(after: try await store.call(ControlEndpoints.clock).now))
        }
    }

    func lines(_ output: TimeTravel, _ style: TerminalStyle) -> [String] {
        output.lines(style)
    }
}

/// Advances the store's time to a date.
struct StoreJumpCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "jump",
        abstract: "Advance the store's time to a future date.",
        discussion: """
            The time advances in parts of 30 days. After each part the command prints the store's time on standard error; \
            control-C stops between two parts. The output has the form of `store advance`.

              tillroll store jump 2030-01-31T12:00:00Z
            """,
        exitCodes: .store
    )

    @Argument(help: "The date, such as 2030-01-31 or 2030-01-31T12:00:00Z.") var date: DateOption
    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> TimeTravel {
        try await store.travel { try await $0.jump(to: date.timestamp) }
    }

    func lines(_ output: TimeTravel, _ style: TerminalStyle) -> [String] {
        output.lines(style)
    }
}

/// Stops the store's clock.
struct StoreFreezeCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Stop the store's clock; `time-rate 1` starts the clock again.",
        discussion: """
              tillroll store freeze
            """,
        exitCodes: .store
    )

    @OptionGroup(title: "Store") var options: StoreOptions

    func send(to store: StoreConnection) async throws -> ClockReply {
        try await store.call(ControlEndpoints.setClock, ClockRequest(factor: 0))
    }

    func lines(_ output: ClockReply, _ style: TerminalStyle) -> [String] {
        output.lines(style)
    }
}

/// Sets the speed of the store's clock, the renewal rate of new subscriptions, or the time span between a renewal's charge and the start of
/// its period.
struct StoreTimeRateCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "time-rate",
        abstract: """
            Set the speed of the store's clock, the renewal rate of new subscriptions, or the time span between a renewal's charge and the \
            start of its period.
            """,
        discussion: """
            --rate takes the values of _timeRate in Xcode's .storekit files. 0: real time. 1 to 6: a day takes 1 hour, 30 \
            minutes, 5 minutes, 1 minute, 30 seconds or 1 second. 10 to 13 and 15: a month takes 60, 30, 15 or 5 minutes or 30 \
            seconds. 1000 to 1005: every period takes 15, 5 or 1 minutes, or 30, 10 or 2 seconds.

            --ahead charges every renewal a time span before the next period, as the App Store does; the current period continues until \
            its end. A renewal that fails ahead is charged again at the end of the current period.

              tillroll store time-rate 3600
              tillroll store time-rate --rate 1004
              tillroll store time-rate --ahead 6h
            """,
        exitCodes: .store
    )

    @Argument(help: "The clock's speed as a multiple of real time, from 0 (frozen) to 1000000.") var factor: Double?
    @Option(help: "The renewal rate of new subscriptions, as _timeRate in .storekit files; 0 for real time.")
    var rate: Int?
    @Option(help: "The time span before a period at which its renewal is charged, from 0s to 24h.") var ahead: SpanOption?
    @OptionGroup(title: "Store") var options: StoreOptions

    func validate() throws {
        guard factor != nil || rate != nil || ahead != nil else {
            throw ValidationError("Missing value. Give a speed such as 3600, a renewal rate with --rate, or a time span with --ahead.")
        }
        guard ahead.map({ $0.months == nil && (0...86_400).contains($0.seconds) }) ?? true else {
            throw ValidationError("Invalid value for --ahead: give a time span from 0s to 24h, such as 6h.")
        }
        guard factor.map({ (0...1_000_000).contains($0) }) ?? true else {
            throw ValidationError("Invalid speed \(factor ?? 0): give a number from 0 to 1000000.")
        }
    }

    func send(to store: StoreConnection) async throws -> ClockReply {
        try await store.call(ControlEndpoints.setClock, ClockRequest(factor: factor, timeRate: rate, chargeAhead: ahead?.seconds))
    }

    func lines(_ output: ClockReply, _ style: TerminalStyle) -> [String] {
        output.lines(style)
    }
}

/// The store's time after an advance, and the numbers of events during the advance.
///
/// The JSON object has the members of the clock, and `happened`.
struct TimeTravel: Encodable {
    let clock: ClockReply
    /// The numbers of events during the advance; nil if the store did not return the events.
    let happened: Happenings?

    private enum CodingKeys: String, CodingKey {
        case happened
    }

    func encode(to encoder: any Encoder) throws {
        try clock.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(happened, forKey: .happened)
    }

    func lines(_ style: TerminalStyle) -> [String] {
        clock.lines(style) + [happened?.text].compactMap { $0 }
    }
}

/// The numbers of events in a span of time, as the console counts them.
struct Happenings: Encodable {
    private(set) var renewals = 0
    /// The number of failed renewals.
    private(set) var billingIssues = 0
    /// The number of ended subscriptions and grace periods.
    private(set) var expirations = 0
    private(set) var refunds = 0
    private(set) var notifications = 0
    /// The number of delivery attempts that the developer's server did not accept.
    private(set) var refused = 0

    init(_ events: [StoreEvent]) {
        for event in events { add(event) }
    }

    private mutating func add(_ event: StoreEvent) {
        switch event.kind {
        case .renewal: renewals += 1
        case .refund: refunds += 1
        case .notification:
            notifications += 1
            switch event.detail?.prefix(while: { $0 != " " }) {
            case "DID_FAIL_TO_RENEW": billingIssues += 1
            case "EXPIRED", "GRACE_PERIOD_EXPIRED": expirations += 1
            default: break
            }
        case .delivery where event.detail?.hasSuffix(" \(SendAttemptResult.success.rawValue)") != true: refused += 1
        default: break
        }
    }

    /// The numbers in words, such as “3 renewals, 1 billing issue, 4 notifications, 1 refused”.
    var text: String {
        let counted = [
            (renewals, "renewal"), (billingIssues, "billing issue"), (expirations, "expiration"), (refunds, "refund"),
            (notifications, "notification"),
        ].filter { $0.0 > 0 }.map { number, name in "\(number) \(name)\(number == 1 ? "" : "s")" }
        let parts = counted + (refused > 0 ? ["\(refused) refused"] : [])
        return parts.isEmpty ? "nothing was due" : parts.joined(separator: ", ")
    }
}

extension ClockReply {
    /// Returns a line of text with the store's time and the speed of its clock.
    func lines(_ style: TerminalStyle) -> [String] {
        let rate = factor == 0 ? "frozen" : factor == 1 ? "real time" : "\(factor) times real time"
        let ahead = chargeAhead.map { ", renewals are charged \($0) seconds ahead" } ?? ""
        return ["\(now)  \(style.faint(rate + ahead))"]
    }
}

extension StoreConnection {
    /// Advances the store's time, and counts the events during the advance, except for events that the store has discarded.
    func travel(_ advance: (StoreConnection) async throws -> ClockReply) async throws -> TimeTravel {
        let newest = try await perform { store async throws(StoreControlError) in try await store.newestEvent() }
        let clock = try await advance(self)
        // Ignore an error, because the command can print the new time without the events.
        let events = try? await perform { store async throws(StoreControlError) in try await store.pastEvents(after: newest?.id ?? 0) }
        return TimeTravel(clock: clock, happened: events.map { Happenings($0) })
    }

    /// Advances the store's time in one or more calls, between which the method prints the time and the command can be stopped.
    func advance(seconds: Int64) async throws(ExitCode) -> ClockReply {
        try await perform { store async throws(StoreControlError) in try await store.advance(seconds: seconds, report: Self.report) }
    }

    /// Advances the store's time to a date in one or more calls, between which the method prints the time and the command can be stopped.
    func jump(to date: Timestamp) async throws(ExitCode) -> ClockReply {
        try await perform { store async throws(StoreControlError) in try await store.advance(to: date, report: Self.report) }
    }

    /// Returns the date of the next renewal or end of a grace period, of one account or of all accounts.
    ///
    /// - Throws: `ExitCode.refused`, after a message on standard error, if no such date exists.
    func date(of target: ScheduledChangeOption, account: String?) async throws(ExitCode) -> Timestamp {
        let schedule = try await call(ControlEndpoints.schedule, query: account.map { ["account": $0] } ?? [:])
        let owner = account.map { "of \(TerminalText.safe($0)) " } ?? ""
        switch target {
        case .renewal:
            if let date = schedule.renewal { return date }
            StandardError.line("Error: No active subscription \(owner)renews automatically. List them with: tillroll store subscriptions")
        case .graceEnd:
            if let date = schedule.gracePeriodEnd { return date }
            StandardError.line(
                "Error: No subscription \(owner)is in a grace period, which begins when the payment method declines a renewal: "
                    + "tillroll store account NAME --payment-method declined")
        }
        throw .refused
    }

    /// Prints the store's time on standard error.
    private static func report(_ reply: ClockReply) {
        StandardError.line("\(reply.now)")
    }
}
