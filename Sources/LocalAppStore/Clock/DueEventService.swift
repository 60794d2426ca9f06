import GRDB
import PurchaseModel

/// The service that finds the events that are due, such as renewals and decisions about refunds, and processes each at its own time.
struct DueEventService: Sendable {
    let context: StoreContext

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
    static func pause() async throws {
        try Task.checkCancellation()
        await Task.yield()
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
    func processNextEvent(until limit: Timestamp) async throws -> Int {
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
