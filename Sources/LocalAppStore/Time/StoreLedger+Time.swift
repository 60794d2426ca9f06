import Foundation
import GRDB
import PurchaseModel
import PurchaseProtocol

extension StoreLedger {
    /// The furthest that the time can be moved at once: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// The most events of one move of the time.
    static let eventLimit = 10_000

    /// Lets everything happen that is due by now, each at its own time, but no more than a turn's work.
    ///
    /// It is called before each request, so nobody sees the store late, and once a second by ``StoreTicker``, so that renewals
    /// are announced although nobody asks. Between two events other stores have their turn.
    ///
    /// - Throws: ``StoreError/behind(since:)`` when more has fallen due than `limit` events.
    func catchUp(atMost limit: Int? = nil) async throws {
        let limit = limit ?? eventsPerTurn
        guard try await firstDue(by: clock.now) != nil else { return }
        var events = 0
        while case let count = try await step(until: clock.now), count > 0 {
            events += count
            if events >= limit {
                let now = clock.now
                // An extension of many renewal dates goes on in the next turn; it makes no answer late.
                guard let due = try await firstDue(by: now), due <= now else { return }
                throw StoreError.behind(since: due)
            }
            try await Self.pause()
        }
    }

    /// Lets others work, and ends the work of those who are not waited for any more.
    private static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }

    /// Moves the time forward; everything that falls due on the way happens in order, at its own time.
    ///
    /// - Parameter asked: How far the whole move goes of which this is the end; nil when it is all.
    func advance(seconds: Int64, asked: Int64? = nil, eventLimit: Int = Self.eventLimit) async throws -> ClockReply {
        guard (0...Self.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = clock.now.adding(seconds: seconds)
        guard target <= StoreTime.range.upperBound else { throw StoreError.advanceOutOfRange }
        var events = 0
        while try await step(until: target) > 0 {
            // An extension of many renewal dates counts once for each of its steps.
            events += 1
            guard events <= eventLimit else { throw StoreError.tooManyEvents }
            try await Self.pause()
        }
        try await write { db, now in
            try clock.move(to: target, db)
            try record(EventRecord(date: target, kind: .clock, detail: "moved by \(asked ?? seconds) seconds"), db)
        }
        return try await time()
    }

    /// When something is due next after `now`, a notification's next attempt among it; nil when nothing is by `limit`.
    func nextStop(after now: Timestamp, until limit: Timestamp) async throws -> Timestamp? {
        try await read { db in
            let sql = """
                SELECT min(due) FROM (
                    SELECT min(nextDue) AS due FROM subscriptions WHERE nextDue > :now AND nextDue <= :limit
                    UNION ALL SELECT min(due) FROM refundRequests WHERE state = 'pending' AND due > :now AND due <= :limit
                    UNION ALL SELECT min(nextAttempt) FROM notifications WHERE nextAttempt > :now AND nextAttempt <= :limit
                )
                """
            let milliseconds = try Int64.fetchOne(
                db.cachedStatement(sql: sql), arguments: ["now": now.milliseconds, "limit": limit.milliseconds])
            return milliseconds.map { Timestamp(milliseconds: $0) }
        }
    }

    /// Moves the time to where something is due, and lets that happen.
    func stop(at time: Timestamp) async throws {
        try await write { db, _ in try clock.move(to: time, db) }
        do { try await catchUp(atMost: Self.eventLimit) } catch StoreError.behind { throw StoreError.tooManyEvents }
    }

    /// Stops the time, makes it go faster, or chooses how long the periods of new subscriptions take.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        try await write { db, now in
            if let factor = request.factor {
                try clock.run(factor, db)
                try record(EventRecord(date: now, kind: .clock, detail: factor == 0 ? "stopped" : "goes at \(factor)"), db)
            }
            if let rate = request.timeRate {
                guard let pace = SubscriptionTimeRate(rawValue: rate) else { throw StoreError.unusable(field: "timeRate") }
                var rules = try rules(for: .sandbox, db)
                rules.pace = pace
                try StoreSettings.set(rules, db)
            }
        }
        return try await time()
    }

    /// The store's time and how it goes.
    func time() async throws -> ClockReply {
        let rate = try await read { db in try rules(for: .sandbox, db).pace.rawValue }
        return ClockReply(now: clock.now, factor: clock.factor, timeRate: rate)
    }

    /// When the first thing is due that has not happened; just after `limit` for an extension of many renewal dates that is not done,
    /// and nil when there is nothing to do.
    private func firstDue(by limit: Timestamp) async throws -> Timestamp? {
        try await read { db in
            let sql = """
                SELECT min(due) FROM (
                    SELECT min(nextDue) AS due FROM subscriptions WHERE nextDue <= :limit
                    UNION ALL SELECT min(due) FROM refundRequests WHERE state = 'pending' AND due <= :limit
                    UNION ALL SELECT :limit + 1 FROM massExtensions WHERE completeDate IS NULL
                )
                """
            let milliseconds = try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: ["limit": limit.milliseconds])
            return milliseconds.map { Timestamp(milliseconds: $0) }
        }
    }

    /// Lets the first thing happen that is due by `limit`; how many events that was, 0 when nothing is due.
    private func step(until limit: Timestamp) async throws -> Int {
        try await write { db, now in
            // What was asked before the time was moved happens before what falls due on the way.
            let isExtending = try MassExtensionRecord.isOpen(db)
            let horizon = isExtending ? min(now, limit) : limit
            let row = try SubscriptionRecord.earliestDue(until: horizon, db)
            if try decideDueRefund(until: row?.nextDue ?? horizon, db) != nil { return 1 }
            guard let row, let due = row.nextDue else { return isExtending ? try extendMany(at: now, db) : 0 }
            try clock.move(to: due, db)
            try fallDue(row, at: due, db)
            return 1
        }
    }
}
