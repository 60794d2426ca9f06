import Foundation
import GRDB
import PurchaseModel
import StoreProtocol

/// The service that advances the store's time and changes its speed.
struct ClockService: Sendable {
    let context: StoreContext

    /// The maximum number of seconds by which one request advances the store's time: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// Advances the store's time; each due event happens in order, at its own time.
    ///
    /// - Parameters:
    ///   - requestedSeconds: The seconds by which the client advances the time, if this call is only the last part of the advance; nil if
    ///     this call is the whole advance.
    ///   - eventLimit: The maximum number of due events.
    /// - Throws: ``ClockError/advanceOutOfRange`` if the target is out of range, or ``ClockError/tooManyEvents`` if more events are due.
    func advance(seconds: Int64, requestedSeconds: Int64? = nil, eventLimit: Int = DueEventService.eventLimit) async throws -> ClockReply {
        guard (0...Self.longestAdvance).contains(seconds) else { throw ClockError.advanceOutOfRange }
        let target = context.clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw ClockError.advanceOutOfRange }
        var events = 0
        while try await context.dueEvents.processNextEvent(until: target) > 0 {
            // Each step of a mass renewal date extension counts as one event.
            events += 1
            guard events <= eventLimit else { throw ClockError.tooManyEvents }
            try await DueEventService.pause()
        }
        try await context.transaction { db, now in
            try context.clock.move(to: target, db)
            try context.events.insertEvent(
                EventRecord(date: target, kind: .clock, detail: "advanced by \(requestedSeconds ?? seconds) seconds"), db)
        }
        return try await time()
    }

    /// Advances the store's time to `time`, and processes the events, such as renewals, that are due then.
    func advanceToEvent(at time: Timestamp) async throws {
        try await context.transaction { db, _ in try context.clock.move(to: time, db) }
        do { try await context.dueEvents.catchUp(atMost: DueEventService.eventLimit) } catch StoreError.behind {
            throw ClockError.tooManyEvents
        }
    }

    /// Changes the speed of the store's time, the time rate of new subscriptions, or how long before a period its renewal is charged.
    ///
    /// The speed 0 stops the time.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        try await context.transaction { db, now in
            if let factor = request.factor {
                try context.clock.setFactor(factor, db)
                try context.events.insertEvent(
                    EventRecord(date: now, kind: .clock, detail: factor == 0 ? "stopped" : "set to factor \(factor)"), db)
            }
            if let rate = request.timeRate {
                guard let timeRate = SubscriptionTimeRate(rawValue: rate) else { throw StoreError.invalidValue(field: "timeRate") }
                var rules = try context.subscriptions.rules(for: .sandbox, db)
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
        var rules = try context.subscriptions.rules(for: .sandbox, db)
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
        let rules = try await context.read { db in try context.subscriptions.rules(for: .sandbox, db) }
        return ClockReply(
            now: context.clock.now, factor: context.clock.factor, timeRate: rules.timeRate.rawValue, chargeAhead: rules.chargeAhead)
    }
}
