import Foundation
import FoundationExtras
import Logging
import PurchaseModel
import PurchaseProof
import PurchaseStorage
import ServerProtocol

/// Reads the feed of an app, and inserts the events that time causes.
package struct FeedService: Sendable {
    /// The maximum number of events of a page.
    static let pageLimit = 500
    /// The maximum number of seconds of a long poll.
    static let waitLimit = 60
    /// The time after which a waiting reader reads again, for events that another server has committed.
    static let pollPause = Duration.seconds(1)
    /// The maximum number of customers of one background transaction.
    private static let batchSize = 10
    /// The time in seconds after which the changes of a customer whose records can't be read are tried again.
    private static let postponement: Int64 = 3_600
    private static let publishLimit = 500

    let app: BundleID
    let storage: any PurchaseStorage
    let emitter: FeedEmitter
    let signal: FeedSignal
    let clock: any WallClock
    let timer: any Clock<Duration>
    let logger: Logger
    /// The age in days after which the server removes an event.
    let retentionDays: Int
    /// Compares customers with their events.
    package let comparison: FeedComparison
    /// The number of open streams.
    let streams = FeedStreams()

    /// Creates the feed of an app, over the storage of the server.
    init(_ app: AppConfiguration, of server: ServerResources, _ catalog: any CatalogSource) {
        self.app = app.bundleID
        storage = server.storage
        let entitlements = EntitlementService(
            app, of: server.configuration, storage: server.storage, catalog: catalog, clock: server.clock)
        emitter = FeedEmitter(app: app.bundleID, entitlements: entitlements, clock: server.clock, logger: server.logger)
        signal = FeedSignal()
        clock = server.clock
        timer = server.timer
        logger = server.logger
        retentionDays = server.configuration.eventRetentionDays
        comparison = FeedComparison(
            app: app.bundleID, storage: server.storage, emitter: emitter, signal: signal, clock: server.clock, logger: server.logger)
    }

    // MARK: Reading

    /// Returns the events after a cursor, oldest first.
    ///
    /// - Parameters:
    ///   - cursor: The cursor; nil for the cursor after the newest event, with no events.
    ///   - limit: The maximum number of events.
    /// - Throws: ``FeedRefusal/expired`` or ``FeedRefusal/diverged`` if the cursor's event is no longer in the feed, or `StorageError`.
    func page(after cursor: FeedCursor?, limit: Int) async throws -> EventsReply {
        let (entries, next) = try await entries(after: cursor, limit: limit)
        return EventsReply(events: entries.map(\.json), nextCursor: next.description)
    }

    /// Returns the events after a cursor, and the cursor after the page.
    func entries(after cursor: FeedCursor?, limit: Int) async throws -> (entries: [FeedEntry], next: FeedCursor) {
        let page = try await read { records -> (entries: [FeedEntry], next: FeedCursor) in
            guard let cursor else {
                let newest = try records.feedPositions().newest
                return ([], try records.feedEvents(after: newest - 1, limit: 1).first.map { FeedCursor(after: $0) } ?? .start)
            }
            var aliases: [CustomerID: [String]] = [:]
            let entries = try Self.events(after: cursor, limit: limit, in: records).map { positioned in
                guard let customer = positioned.event.customer else { return FeedEntry(positioned, aliases: []) }
                let known = try aliases[customer] ?? records.aliases(of: customer)
                aliases[customer] = known
                return FeedEntry(positioned, aliases: known)
            }
            return (entries, entries.last?.cursor ?? cursor)
        }
        for entry in page.entries where entry.isDamaged {
            logger.error("an event can't be read", metadata: ["app": "\(app)", "cursor": "\(entry.cursor)"])
        }
        return page
    }

    /// Reads from the primary database: on a replica, which lacks the newest events, the cursor of such an event would look lost.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await RequestPosition.$current.withValue(nil) { try await storage.read(app, body) }
    }

    /// Returns a cursor after a check, or the cursor after the newest event if `cursor` is nil.
    func checked(_ cursor: FeedCursor?) async throws -> FeedCursor {
        guard let cursor else { return try await entries(after: nil, limit: 1).next }
        _ = try await entries(after: cursor, limit: 1)
        return cursor
    }

    private static func events(
        after cursor: FeedCursor, limit: Int, in records: any StorageTransaction
    ) throws -> [PositionedFeedEvent] {
        let positions = try records.feedPositions()
        guard cursor != .start else { return try records.feedEvents(after: positions.removed, limit: limit) }
        guard cursor.position <= positions.newest else { throw FeedRefusal.diverged }
        guard cursor.position >= positions.removed else { throw FeedRefusal.expired }
        // The event of the cursor can't be compared after its removal.
        if cursor.position == positions.removed { return try records.feedEvents(after: cursor.position, limit: limit) }
        let events = try records.feedEvents(after: cursor.position - 1, limit: limit + 1)
        guard let first = events.first, cursor.isAfter(first) else { throw FeedRefusal.diverged }
        return Array(events.dropFirst())
    }

    /// Returns the events after a cursor, and waits for the first event if there is none.
    ///
    /// - Parameters:
    ///   - cursor: The cursor; nil for the cursor after the newest event.
    ///   - limit: The maximum number of events.
    ///   - seconds: The longest wait.
    func page(after cursor: FeedCursor?, limit: Int, waiting seconds: Int) async throws -> EventsReply {
        var rest = Duration.seconds(seconds)
        var cursor = cursor
        while true {
            let count = signal.count
            let reply = try await page(after: cursor, limit: limit)
            guard reply.events.isEmpty, rest > .zero else { return reply }
            cursor = FeedCursor(reply.nextCursor)
            rest -= await wait(after: count, for: min(rest, Self.pollPause))
            // The server stops, or the reader has gone.
            guard !Task.isCancelled else { return reply }
        }
    }

    /// Waits for events after `count` notifications, and returns the passed time.
    func wait(after count: UInt64, for pause: Duration) async -> Duration {
        func measured<C: Clock<Duration>>(_ timer: C) async -> Duration {
            let start = timer.now
            await signal.wait(after: count, for: pause, on: timer)
            return start.duration(to: timer.now)
        }
        return await measured(timer)
    }

    // MARK: Positions

    /// Gives positions to all committed events, and wakes the readers.
    func publish() async throws {
        while try await storage.publishFeedEvents(app, limit: Self.publishLimit) > 0 { signal.notifyReaders() }
        // A storage with one writer has given the positions in the transactions of the events.
        signal.notifyReadersOfCommits()
    }

    /// Removes the events that are older than the retention.
    func removeExpired() async throws {
        let date = clock.now.adding(days: -Int64(retentionDays))
        var count = Self.publishLimit
        while count == Self.publishLimit, !Task.isCancelled {
            count = try await storage.write(app) { try $0.removeFeedEvents(recordedBefore: date, limit: Self.publishLimit) }
        }
    }

    // MARK: Time

    /// Inserts the events that time has caused, for all customers whose next change is due.
    ///
    /// - Throws: The first error of a partition, after the other partitions; a customer whose records can't be read is postponed.
    func advance() async throws {
        let now = clock.now
        let partitions = try await read { records in
            try QueuePartition.due { try records.earliestFeedChange(in: $0, dueAt: now) }
        }
        var failure: (any Error)?
        for partition in partitions {
            do { try await advance(partition, until: now) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    private func advance(_ partition: Int, until now: Timestamp) async throws {
        var limit = Self.batchSize
        while !Task.isCancelled {
            do {
                // Claim and insert in one transaction, so that each event is inserted once, by one of several servers.
                let count = try await storage.write(app) { [emitter, limit] records in
                    let due = try records.claimFeedCustomers(in: partition, dueAt: now, limit: limit)
                    for customer in due { try emitter.advance(customer, until: now, in: records) }
                    return due.count
                }
                if count > 0 { signal.notify() }
                if count < limit { return }
            } catch  where !(error is StorageError) && !(error is CancellationError) {
                // Find the customer whose records can't be read.
                guard limit == 1 else {
                    limit = 1
                    continue
                }
                try await postponeFirst(in: partition, dueAt: now, error)
                limit = Self.batchSize
            }
        }
    }

    private func postponeFirst(in partition: Int, dueAt date: Timestamp, _ error: any Error) async throws {
        let postponed = try await storage.write(app) { records in
            let due = try records.claimFeedCustomers(in: partition, dueAt: date, limit: 1)
            for var customer in due {
                customer.dueAt = date.adding(seconds: Self.postponement)
                try records.put(customer)
            }
            return due.map(\.customer)
        }
        for customer in postponed {
            logger.error("changes by time not recorded", metadata: ["app": "\(app)", "customer": "\(customer)", "error": "\(error)"])
        }
    }
}
