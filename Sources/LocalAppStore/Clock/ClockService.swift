import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that advances the store's time and changes its speed.
struct ClockService: Sendable {
    let context: StoreContext
    let events: EventService
    let dueEvents: DueEventService
    let sender: NotificationSender

    /// The maximum number of seconds by which one request advances the store's time: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400

    /// Advances the store's time; each due event happens at its own time, and its notifications are sent at that time.
    ///
    /// The store waits only once for a server that does not respond, and records later attempts at their due times; see
    /// ``NotificationSender/duringTimeAdvance(isContinuation:_:)``.
    ///
    /// - Parameters:
    ///   - seconds: The seconds by which the time advances.
    ///   - isContinuation: Whether the call continues the client's previous advance, whose unresponsive servers are not tried again.
    ///   - eventLimit: The maximum number of due events.
    /// - Throws: ``ClockError/advanceOutOfRange`` if the target is out of range, or ``ClockError/tooManyEvents`` if too many events are
    ///   due.
    func advance(
        seconds: Int64, isContinuation: Bool = false, eventLimit: Int = DueEventService.eventLimit
    ) async throws -> ClockReply {
        let target = try date(after: seconds)
        try await sender.duringTimeAdvance(isContinuation: isContinuation) {
            var eventCount = 0
            while context.apps.all.contains(where: \.row.hasNotificationURL), eventCount < eventLimit {
                try await sender.deliver()
                guard let next = try await dueEvents.nextEventDate(after: context.clock.now, until: target) else { break }
                try await advanceToEvent(at: next, eventLimit: eventLimit)
                eventCount += 1
            }
        }
        // The remaining milliseconds are rounded up to seconds, so that the advance always reaches its target.
        let now = context.clock.now
        let end = now.adding(seconds: Self.seconds(max(target.milliseconds - now.milliseconds, 0)))
        var count = 0
        while try await dueEvents.processNextEvent(until: end) > 0 {
            // Each step of a mass renewal date extension counts as one event.
            count += 1
            guard count <= eventLimit else { throw ClockError.tooManyEvents }
            try await DueEventService.pause()
        }
        try await context.transaction { db, _ in
            try context.clock.move(to: end, db)
            try events.insertEvent(EventRecord(date: end, kind: .clock, detail: "advanced by \(seconds) seconds"), db)
        }
        return try await time()
    }

    /// Returns the date that follows the store's time by a number of seconds.
    ///
    /// - Throws: ``ClockError/advanceOutOfRange`` if the store's time can't advance to the date.
    private func date(after seconds: Int64) throws(ClockError) -> Timestamp {
        guard (0...Self.longestAdvance).contains(seconds) else { throw .advanceOutOfRange }
        let date = context.clock.now.adding(seconds: seconds)
        guard date <= StoreTime.range.upperBound else { throw .advanceOutOfRange }
        return date
    }

    /// Returns a number of milliseconds, which is not negative, in seconds, rounded up.
    private static func seconds(_ milliseconds: Int64) -> Int64 {
        milliseconds / 1000 + (milliseconds % 1000 == 0 ? 0 : 1)
    }

    /// Advances the store's time to `time`, and processes the events, such as renewals, that are due then.
    private func advanceToEvent(at time: Timestamp, eventLimit: Int) async throws {
        try await context.transaction { db, _ in try context.clock.move(to: time, db) }
        do { try await dueEvents.catchUp(atMost: eventLimit) } catch StoreError.behind { throw ClockError.tooManyEvents }
    }

    /// Changes the speed of the store's time or the time rate, or advances the time to a date as
    /// ``advance(seconds:isContinuation:eventLimit:)`` does.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        guard let target = request.now else { return try await change(request) }
        let (distance, overflow) = target.milliseconds.subtractingReportingOverflow(context.clock.now.milliseconds)
        guard !overflow, distance >= 0 else { throw ClockError.advanceOutOfRange }
        // The milliseconds are rounded up to seconds, so that the advance always reaches its target.
        let seconds = Self.seconds(distance)
        _ = try date(after: seconds)
        _ = try await change(request)
        return try await advance(seconds: seconds, isContinuation: request.isContinuation == true)
    }

    /// Changes the speed of the store's time, the time rate of new subscriptions, or how long before a period its renewal is charged.
    ///
    /// The speed 0 stops the time.
    private func change(_ request: ClockRequest) async throws -> ClockReply {
        try await context.transaction { db, now in
            if let factor = request.factor {
                try context.clock.setFactor(factor, db)
                try events.insertEvent(
                    EventRecord(date: now, kind: .clock, detail: factor == 0 ? "stopped" : "set to factor \(factor)"), db)
            }
            if let rate = request.timeRate {
                guard let timeRate = SubscriptionTimeRate(rawValue: rate) else { throw StoreError.invalidValue(field: "timeRate") }
                var rules = try context.apps.rules(db)
                rules.timeRate = timeRate
                try StoreSettings.set(rules, db)
            }
            if let seconds = request.chargeAhead { try setChargeAhead(seconds, at: now, db) }
        }
        return try await time()
    }

    /// Sets how many seconds before a period its renewal is charged, for new and existing subscriptions.
    private func setChargeAhead(_ seconds: Int64, at now: Timestamp, _ db: Database) throws {
        guard (0...SubscriptionRules.maximumChargeAhead).contains(seconds) else { throw StoreError.invalidValue(field: "chargeAhead") }
        let chargeAhead = seconds == 0 ? nil : seconds
        var rules = try context.apps.rules(db)
        rules.chargeAhead = chargeAhead
        try StoreSettings.set(rules, db)
        for var row in try SubscriptionRecord.fetchAll(db) where row.subscription.rules.chargeAhead != chargeAhead {
            row.change { $0.setChargeAhead(chargeAhead, at: now) }
            try row.update(db)
        }
    }

    /// Returns the dates of the next renewal and of the next end of a grace period, of one account or of all if `account` is nil.
    ///
    /// - Throws: ``AccountError/unknown`` if the store has no account with the name.
    func schedule(of account: AccountID?) async throws -> ScheduleReply {
        try await context.read { db in
            if let account { _ = try AccountRecord.require(account, db) }
            let schedule = try SubscriptionSchedule.read(of: account, db)
            return ScheduleReply(renewal: schedule.renewal, gracePeriodEnd: schedule.gracePeriodEnd)
        }
    }

    /// Returns the store's time, its speed, and the rules of new subscriptions that the control API can change.
    func time() async throws -> ClockReply {
        let rules = try await context.read { db in try context.apps.rules(db) }
        return ClockReply(
            now: context.clock.now, factor: context.clock.factor, timeRate: rules.timeRate.rawValue, chargeAhead: rules.chargeAhead)
    }
}
