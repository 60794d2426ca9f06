import LibPQ

/// Combines the queries of concurrent requests into few round trips to a PostgreSQL database.
///
/// A round trip to the database takes longer than most queries. The storage sends the queries of all requests of a batch together. A
/// request runs until its first query. After each result, the request runs again from its beginning, with the recorded results, until its
/// next query.
final class PostgresGroupRead: Sendable {
    /// The maximum number of a request's queries that are sent together with the queries of other requests; further queries are sent alone.
    private static let rounds = 4

    /// A request that waits for a connection.
    private struct Job: Sendable {
        /// Reads the request's data, and returns a closure that reports the result to the caller.
        let run: @Sendable (any SQLConnection) -> @Sendable () -> Void
        /// Reports an error to the caller; nothing was read.
        let fail: @Sendable (any Error) -> Void
    }

    private let pool: PostgresPool
    private let queue: BatchQueue<Job>

    /// - Parameter limit: The number of connections of the pool, of which reads use at most two, or half of the connections while batches
    ///   are slow.
    init(_ pool: PostgresPool, limit: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.pool = pool
        // With two lanes, one batch runs while the other batch waits for the database.
        queue = BatchQueue(BatchLimits(lanes: min(2, limit), lanesIfSlow: max(min(2, limit), limit / 2), batchSize: 32), now: now)
    }

    /// The number of requests that wait for a batch.
    var waiting: Int { queue.waiting }

    /// Runs `body`, and returns its result.
    ///
    /// The method can run `body` more than once, so `body` must have no effects. Each query of `body` sees all commits before the call.
    ///
    /// - Throws: The error of `body`, or a `PostgresError`.
    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    let result = Result { try body(connection) }
                    return { continuation.resume(with: result) }
                },
                fail: { continuation.resume(throwing: $0) })
            if !queue.add(job, run: { await self.readAll($0) }) { job.fail(StorageError.overloaded) }
        }
    }

    private func readAll(_ jobs: [Job]) async {
        do {
            try await pool.withConnection { self.run(jobs, $0) }
        } catch {
            // No connection is available. Also fail the waiting requests, because each request would wait for another timeout.
            for job in jobs + queue.takeAll() { job.fail(error) }
        }
    }

    private func run(_ jobs: [Job], _ connection: PostgresConnection) {
        var reads = jobs.map { (job: $0, results: RecordedResults()) }
        for round in 0...Self.rounds {
            reads.removeAll { job, results in
                let report = job.run(results)
                guard results.missing == nil else { return false }
                report()
                return true
            }
            guard !reads.isEmpty, round < Self.rounds else { break }
            do {
                let results = try connection.queryPrepared(together: reads.compactMap(\.results.missing))
                for (read, result) in zip(reads, results) { read.results.supply(result) }
            } catch  where error.concernsOtherStatements {
                for (job, _) in reads { job.fail(error) }
                return
            } catch {
                // Run each request alone, because one of the requests caused the error.
                break
            }
        }
        for (job, _) in reads { job.run(PostgresTransactionConnection(connection))() }
    }
}

/// The recorded query results of a request, which runs again from its beginning for each further query.
private final class RecordedResults: SQLConnection {
    typealias Query = (sql: String, parameters: [PostgresValue])

    let claimLock = ""
    /// The query whose result is missing; nil if the request has run to its end.
    private(set) var missing: Query?
    private var recorded: [(query: Query, result: PostgresResult)] = []
    /// The number of queries of the current run.
    private var count = 0

    /// Adds the result of the missing query, for the next run.
    func supply(_ result: PostgresResult) {
        if let missing { recorded.append((missing, result)) }
        (missing, count) = (nil, 0)
    }

    func query<Value>(_ sql: String, _ arguments: [SQLValue], limit: Int, _ read: (any SQLRow) throws -> Value) throws -> [Value] {
        guard missing == nil else { throw MissingResult() }
        let query: Query = (PostgresStatement.translated(sql).text, arguments.map(\.postgresValue))
        guard count < recorded.count, recorded[count].query == query else {
            recorded.removeLast(recorded.count - count)
            missing = query
            throw MissingResult()
        }
        let result = recorded[count].result
        count += 1
        return try result.prefix(limit).map { try read(PostgresSQLRow(row: $0)) }
    }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws { throw StorageError.failed("a write in a read") }

    func changes(_ sql: String, _ arguments: [SQLValue]) throws -> Int { throw StorageError.failed("a write in a read") }

    private struct MissingResult: Error {}
}
