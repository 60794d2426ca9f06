import GRDB
import PurchaseModel

/// The work of a feature that is due at dates in the store's time, such as the renewals of subscriptions.
protocol DueWork: Sendable {
    /// Returns the date of the feature's first work after a date, or of its first work of all if `date` is nil; nil if there is none.
    ///
    /// The store calls the method before each request, so the query reads an index or a small table.
    func nextDueDate(after date: Timestamp?, _ db: Database) throws -> Timestamp?

    /// Processes the feature's first work, which is due at `date`, as part of a running database transaction.
    func processDue(at date: Timestamp, _ db: Database) throws
}

/// The service that finds the events that are due, such as renewals and decisions about refunds, and processes each at its own time.
struct DueEventService: Sendable {
    let context: StoreContext
    /// The work with due dates.
    ///
    /// Of work that is due at the same date, the first in the list is processed first.
    let work: [any DueWork]
    /// The mass renewal date extensions, which continue when no other work is due.
    let extensions: ExtensionService
    let notifications: NotificationService
    /// The maximum number of due events, such as renewals, that the store processes before it responds to a request.
    let eventsPerRequest: Int

    /// The maximum number of due events, such as renewals, that one advance of the store's time processes.
    static let eventLimit = 10_000

    /// Processes all due events, such as renewals, each at its own time.
    ///
    /// The store calls the method before each request, so that every response reflects the store's current time. ``StoreTicker`` calls it
    /// for stores that have work, so that renewals also happen without requests. Other stores of the host get processing time between two events.
    ///
    /// - Parameter limit: The maximum number of events; nil for ``eventsPerRequest``.
    ///
    /// - Throws: ``StoreError/behind(since:)`` if more than `limit` events are due.
    func catchUp(atMost limit: Int? = nil) async throws {
        let limit = limit ?? eventsPerRequest
        guard try await hasWork(by: context.clock.now) else { return }
        var events = 0
        while case let count = try await processNextEvent(until: context.clock.now), count > 0 {
            events += count
            if events >= limit {
                let now = context.clock.now
                // The rest of a mass renewal date extension is processed later, and is no reason to report that the store is behind.
                guard let due = try await context.read({ db in try earliestDueDate(db) }), due <= now else { return }
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
        let dates = try await context.read { db in
            try work.map { try $0.nextDueDate(after: now, db) } + [notifications.nextAttempt(after: now, db)]
        }
        return dates.compactMap { $0 }.min().flatMap { $0 <= limit ? $0 : nil }
    }

    /// Returns the date of the next event, such as a renewal, or of the next attempt to send a notification; nil if there is none.
    ///
    /// The date is in the past for work that is due. Notifications without a URL to which they are sent do not count.
    func nextWorkDate() async throws -> Timestamp? {
        try await context.read { db in
            if try MassExtensionRecord.isOpen(db) { return Timestamp(milliseconds: 0) }
            return try [earliestDueDate(db), notifications.nextDeliveryDate(db)].compactMap { $0 }.min()
        }
    }

    /// Returns whether an event, such as a renewal, is due at `limit` or earlier, or a mass renewal date extension is incomplete.
    private func hasWork(by limit: Timestamp) async throws -> Bool {
        try await context.read { db in
            if let due = try earliestDueDate(db), due <= limit { return true }
            return try MassExtensionRecord.isOpen(db)
        }
    }

    /// Returns the date of the first event, such as a renewal; nil if there is none.
    private func earliestDueDate(_ db: Database) throws -> Timestamp? {
        try work.compactMap { try $0.nextDueDate(after: nil, db) }.min()
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
            var first: (work: any DueWork, date: Timestamp)?
            for work in work {
                guard let date = try work.nextDueDate(after: nil, db), date <= horizon else { continue }
                if first.map({ date < $0.date }) ?? true { first = (work, date) }
            }
            guard let first else { return hasOpenMassExtension ? try extensions.continueMassExtension(at: now, db) : 0 }
            try context.clock.move(to: first.date, db)
            try first.work.processDue(at: first.date, db)
            return 1
        }
    }
}
