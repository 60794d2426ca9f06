import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

/// The service that advances the store's time, and processes the events, such as renewals, that fall due.
struct ClockService: Sendable {
    let context: StoreContext

    /// The maximum number of seconds by which one request advances the store's time: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// The maximum number of due events, such as renewals, that one advance of the store's time processes.
    static let eventLimit = 10_000

    /// Processes all due events, such as renewals, each at its own time.
    ///
    /// The store calls the method before each request, so that every response reflects the store's current time. ``StoreTicker`` calls it
    /// for stores that have work, so that renewals also happen without requests. Other stores of the host get processing time between two events.
    ///
    /// - Parameter limit: The maximum number of events; nil for ``context.eventsPerRequest``.
    ///
    /// - Throws: ``StoreError/behind(since:)`` if more than `limit` events are due.
    func catchUp(atMost limit: Int? = nil) async throws {
        let limit = limit ?? context.eventsPerRequest
        guard try await earliestDueDate(by: context.clock.now) != nil else { return }
        var events = 0
        while case let count = try await processNextEvent(until: context.clock.now), count > 0 {
            events += count
            if events >= limit {
                let now = context.clock.now
                // The rest of a mass renewal date extension is processed later, and is no reason to report that the store is behind.
                guard let due = try await earliestDueDate(by: now), due <= now else { return }
                throw StoreError.behind(since: due)
            }
            try await Self.pause()
        }
    }

    /// Lets other tasks run; throws if the current task is canceled.
    private static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    /// Advances the store's time; each due event happens in order, at its own time.
    ///
    /// - Parameters:
    ///   - requestedSeconds: The seconds by which the client advances the time, if this call is only the last part of the advance; nil if
    ///     this call is the whole advance.
    ///   - eventLimit: The maximum number of due events.
    /// - Throws: ``ClockError/advanceOutOfRange`` if the target is out of range, or ``ClockError/tooManyEvents`` if more events are due.
    func advance(seconds: Int64, requestedSeconds: Int64? = nil, eventLimit: Int = Self.eventLimit) async throws -> ClockReply {
        guard (0...Self.longestAdvance).contains(seconds) else { throw ClockError.advanceOutOfRange }
        let target = context.clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw ClockError.advanceOutOfRange }
        var events = 0
        while try await processNextEvent(until: target) > 0 {
            // Each step of a mass renewal date extension counts as one event.
            events += 1
            guard events <= eventLimit else { throw ClockError.tooManyEvents }
            try await Self.pause()
        }
        try await context.transaction { db, now in
            try context.clock.move(to: target, db)
            try context.events.insertEvent(
                EventRecord(date: target, kind: .clock, detail: "advanced by \(requestedSeconds ?? seconds) seconds"), db)
        }
        return try await time()
    }

    /// Returns the time of the next event, such as a renewal, or of the next attempt to send a notification.
    ///
    /// The time is after `now` and not after `limit`; the result is nil if there is none.
    func nextEventDate(after now: Timestamp, until limit: Timestamp) async throws -> Timestamp? {
        try await context.read { db in
            let sql = """
                SELECT min(due) FROM (
                    SELECT min(nextRenewalDate) AS due FROM subscriptions WHERE nextRenewalDate > :now AND nextRenewalDate <= :limit
                    UNION ALL SELECT min(due) FROM refundRequests WHERE state = 'pending' AND due > :now AND due <= :limit
                    UNION ALL SELECT min(nextAttempt) FROM notifications WHERE nextAttempt > :now AND nextAttempt <= :limit
                )
                """
            let milliseconds = try Int64.fetchOne(
                db.cachedStatement(sql: sql), arguments: ["now": now.milliseconds, "limit": limit.milliseconds])
            return milliseconds.map { Timestamp(milliseconds: $0) }
        }
    }

    /// Returns the date of the next event, such as a renewal, or of the next attempt to send a notification; nil if there is none.
    ///
    /// The date is in the past for work that is due. Notifications without a URL to which they are sent do not count.
    func nextWorkDate() async throws -> Timestamp? {
        let sendsNotifications = context.apps.all.contains(where: \.row.hasNotificationURL)
        return try await context.read { db in
            let sql = """
                SELECT min(due) FROM (
                    SELECT min(nextRenewalDate) AS due FROM subscriptions WHERE nextRenewalDate IS NOT NULL
                    UNION ALL SELECT min(due) FROM refundRequests WHERE state = 'pending'
                    UNION ALL SELECT 0 FROM massExtensions WHERE completeDate IS NULL
                    UNION ALL SELECT * FROM (
                        SELECT n.nextAttempt FROM notifications n CROSS JOIN apps a ON a.bundleID = n.bundleID
                        WHERE ? AND n.nextAttempt IS NOT NULL
                            AND CASE n.environment WHEN 'Production' THEN a.productionURL ELSE a.sandboxURL END IS NOT NULL
                        ORDER BY n.nextAttempt LIMIT 1
                    )
                )
                """
            let milliseconds = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: [sendsNotifications])
            return milliseconds.map { Timestamp(milliseconds: $0) }
        }
    }

    /// Advances the store's time to `time`, and processes the events, such as renewals, that are due then.
    func advanceToEvent(at time: Timestamp) async throws {
        try await context.transaction { db, _ in try context.clock.move(to: time, db) }
        do { try await catchUp(atMost: Self.eventLimit) } catch StoreError.behind { throw ClockError.tooManyEvents }
    }

    /// Changes the speed of the store's time, or the time rate of new subscriptions; the speed 0 stops the time.
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
        }
        return try await time()
    }

    /// Returns the store's time, its speed, and the time rate of new subscriptions.
    func time() async throws -> ClockReply {
        let rate = try await context.read { db in try context.subscriptions.rules(for: .sandbox, db).timeRate.rawValue }
        return ClockReply(now: context.clock.now, factor: context.clock.factor, timeRate: rate)
    }

    /// Returns the time of the first event, such as a renewal, that is due at `limit` or earlier; nil if there is none.
    ///
    /// For an incomplete mass renewal date extension without due events, the result is one millisecond after `limit`.
    private func earliestDueDate(by limit: Timestamp) async throws -> Timestamp? {
        try await context.read { db in
            let sql = """
                SELECT min(due) FROM (
                    SELECT min(nextRenewalDate) AS due FROM subscriptions WHERE nextRenewalDate <= :limit
                    UNION ALL SELECT min(due) FROM refundRequests WHERE state = 'pending' AND due <= :limit
                    UNION ALL SELECT :limit + 1 FROM massExtensions WHERE completeDate IS NULL
                )
                """
            let milliseconds = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: ["limit": limit.milliseconds])
            return milliseconds.map { Timestamp(milliseconds: $0) }
        }
    }

    /// Processes the first event, such as a renewal, that is due at `limit` or earlier.
    ///
    /// The method returns the number of processed events, which is 0 if none is due.
    private func processNextEvent(until limit: Timestamp) async throws -> Int {
        try await context.transaction { db, now in
            // A mass renewal date extension that was requested before an advance of the time is completed before the events that the
            // advance makes due.
            let hasOpenMassExtension = try MassExtensionRecord.isOpen(db)
            let horizon = hasOpenMassExtension ? min(now, limit) : limit
            let row = try SubscriptionRecord.earliestDue(until: horizon, db)
            if try context.refunds.decideDueRefund(until: row?.nextRenewalDate ?? horizon, db) != nil { return 1 }
            guard let row, let due = row.nextRenewalDate else {
                return hasOpenMassExtension ? try context.extensions.continueMassExtension(at: now, db) : 0
            }
            try context.clock.move(to: due, db)
            try context.subscriptions.processDueChange(row, at: due, db)
            return 1
        }
    }
}
