import Foundation
import GRDB
import PurchaseModel

extension StoreLedger {
    /// The furthest that the time can be moved at once: ten years.
    static let longestAdvance: Int64 = 3_653 * 86_400
    /// The most events of one move of the time.
    static let eventLimit = 10_000

    /// Lets everything happen that is due by now, each at its own time.
    ///
    /// It is called before each request, so nobody sees the store late, and once a second by ``StoreTicker``, so that renewals
    /// are announced although nobody asks.
    func catchUp() async throws {
        guard try await isDue(by: clock.now) else { return }
        while try await step(until: clock.now) {}
    }

    /// Moves the time forward; everything that falls due on the way happens in order, at its own time.
    ///
    /// - Parameter asked: How far the whole move goes of which this is the end; nil when it is all.
    func advance(seconds: Int64, asked: Int64? = nil, eventLimit: Int = Self.eventLimit) async throws -> ClockReply {
        guard (0...Self.longestAdvance).contains(seconds) else { throw StoreError.advanceOutOfRange }
        let target = clock.now.adding(seconds: seconds)
        var events = 0
        while try await step(until: target) {
            events += 1
            guard events <= eventLimit else { throw StoreError.tooManyEvents }
        }
        try await write { db, now in
            try clock.move(to: target, db)
            try record(EventRow(date: target, kind: .clock, detail: "moved by \(asked ?? seconds) seconds"), db)
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
        try await catchUp()
    }

    /// Stops the time, makes it go faster, or chooses how long the periods of new subscriptions take.
    func set(_ request: ClockRequest) async throws -> ClockReply {
        try await write { db, now in
            if let factor = request.factor {
                try clock.run(factor, db)
                try record(EventRow(date: now, kind: .clock, detail: factor == 0 ? "stopped" : "goes at \(factor)"), db)
            }
            if let rate = request.timeRate {
                guard let pace = SubscriptionPace(rawValue: rate) else { throw StoreError.unusable(field: "timeRate") }
                var rules = try rules(for: .sandbox, db)
                rules.pace = pace
                try StoreSettings.subscriptionRules.set(String(decoding: WireJSON.encode(rules), as: UTF8.self), db)
            }
        }
        return try await time()
    }

    /// The store's time and how it goes.
    func time() async throws -> ClockReply {
        let rate = try await read { db in try rules(for: .sandbox, db).pace.rawValue }
        return ClockReply(now: clock.now, factor: clock.factor, timeRate: rate)
    }

    private func isDue(by limit: Timestamp) async throws -> Bool {
        try await read { db in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM subscriptions WHERE nextDue <= ?)
                    OR EXISTS (SELECT 1 FROM refundRequests WHERE state = 'pending' AND due <= ?)
                    OR EXISTS (SELECT 1 FROM massExtensions WHERE completeDate IS NULL)
                """
            return try Bool.fetchOne(db.cachedStatement(sql: sql), arguments: [limit.milliseconds, limit.milliseconds]) ?? false
        }
    }

    /// Lets the first thing happen that is due by `limit`; false when there is none.
    private func step(until limit: Timestamp) async throws -> Bool {
        try await write { db, now in
            // What was asked before the time was moved happens before what falls due on the way.
            let isExtending = try MassExtensionRow.isOpen(db)
            let horizon = isExtending ? min(now, limit) : limit
            let row = try SubscriptionRow.earliestDue(until: horizon, db)
            if try decideDueRefund(until: row?.nextDue ?? horizon, db) != nil { return true }
            guard let row, let due = row.nextDue else { return try isExtending && extendMany(at: now, db) }
            try clock.move(to: due, db)
            try fallDue(row, at: due, db)
            return true
        }
    }
}
