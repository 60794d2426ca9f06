import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The maximum length of one time advance, in seconds: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// The maximum number of events in one time advance.
    static let eventLimit = 10_000

    /// Processes all due events, each at its own time, up to one turn's limit.
    ///
    /// Each request calls the method first, so that every response reflects the store's current time. ``StoreTicker`` calls it once a
    /// second, so that renewals cause notifications even without requests. Other stores get their turn between two events.
    ///
    /// - Throws: ``StoreError/behind(since:)`` if more than `limit` events are due.
    func catchUp(atMost limit: Int? = nil) async throws {
        let limit = limit ?? eventsPerRequest
        guard try await earliestDueDate(by: clock.now) != nil else { return }
        var events = 0
        while case let count = try await processNextEvent(until: clock.now), count > 0 {
            events += count
            if events >= limit {
                let now = clock.now
                // A mass renewal date extension continues in the next turn, and does not put the store behind.
                guard let due = try await earliestDueDate(by: now), due <= now else { return }
                throw StoreError.behind(since: due)
            }
            try await Self.pause()
        }
    }

    /// Yields to other tasks, and stops if the task is canceled.
    private static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    /// Advances the time; each due event happens in order, at its own time.
    ///
    /// - Parameter asked: The length of the whole advance, of which this call is the last part; nil if this call is the whole advance.
    func advance(seconds: Int64, requestedSeconds: Int64? = nil, eventLimit: Int = Self.eventLimit) async throws -> ClockReply {
        guard (0...Self.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw StoreError.advanceOutOfRange }
        var events = 0
        while try await processNextEvent(until: target) > 0 {
            // A mass renewal date extension counts once for each of its steps.
            events += 1
            guard events <= eventLimit else { throw StoreError.tooManyEvents }
            try await Self.pause()
        }
        try await write { db, now in
            try clock.move(to: target, db)
            try insertEvent(EventRecord(date: target, kind: .clock, detail: "advanced by \(requestedSeconds ?? seconds) seconds"), db)
        }
        return try await time()
    }

    /// The time of the next due event or notification attempt after `now`; nil if there is none by `limit`.
    func nextEventDate(after now: Timestamp, until limit: Timestamp) async throws -> Timestamp? {
        try await read { db in
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

    /// Advances the time to a due event, and processes the event.
    func advanceToEvent(at time: Timestamp) async throws {
        try await write { db, _ in try clock.move(to: time, db) }
        do { try await catchUp(atMost: Self.eventLimit) } catch StoreError.behind { throw StoreError.tooManyEvents }
    }

    /// Stops the time, changes its speed, or sets the time rate of new subscriptions.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        try await write { db, now in
            if let factor = request.factor {
                try clock.setFactor(factor, db)
                try insertEvent(EventRecord(date: now, kind: .clock, detail: factor == 0 ? "stopped" : "set to factor \(factor)"), db)
            }
            if let rate = request.timeRate {
                guard let timeRate = SubscriptionTimeRate(rawValue: rate) else { throw StoreError.invalidValue(field: "timeRate") }
                var rules = try rules(for: .sandbox, db)
                rules.timeRate = timeRate
                try StoreSettings.set(rules, db)
            }
        }
        return try await time()
    }

    /// The store's time and its speed.
    func time() async throws -> ClockReply {
        let rate = try await read { db in try rules(for: .sandbox, db).timeRate.rawValue }
        return ClockReply(now: clock.now, factor: clock.factor, timeRate: rate)
    }

    /// The time of the first due event that is not processed; nil if there is none by `limit`.
    ///
    /// An incomplete mass renewal date extension counts as due just after `limit`.
    private func earliestDueDate(by limit: Timestamp) async throws -> Timestamp? {
        try await read { db in
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

    /// Processes the first event that is due by `limit`, and returns the number of events; 0 if none is due.
    private func processNextEvent(until limit: Timestamp) async throws -> Int {
        try await write { db, now in
            // A mass renewal date extension from before the advance is completed before the due events of the advance.
            let hasOpenMassExtension = try MassExtensionRecord.isOpen(db)
            let horizon = hasOpenMassExtension ? min(now, limit) : limit
            let row = try SubscriptionRecord.earliestDue(until: horizon, db)
            if try decideDueRefund(until: row?.nextRenewalDate ?? horizon, db) != nil { return 1 }
            guard let row, let due = row.nextRenewalDate else { return hasOpenMassExtension ? try continueMassExtension(at: now, db) : 0 }
            try clock.move(to: due, db)
            try processDueChange(row, at: due, db)
            return 1
        }
    }
}
