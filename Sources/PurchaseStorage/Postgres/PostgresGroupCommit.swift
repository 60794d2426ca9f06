import FoundationExtras
import LibPQ

/// Writes the changes of many concurrent requests to a PostgreSQL database in one transaction.
///
/// New purchases have neighboring keys, so serializable transactions about new purchases almost always conflict. The requests of one
/// transaction can't conflict with each other, and share one flush of the disk. A further transaction begins only while another transaction
/// is slow, for example during a lock wait.
///
/// A transaction commits the changes of all its requests, or of none. If one request prevents the commit, the requests are divided until
/// the failing request is alone and the other requests are committed.
///
/// The transactions are serializable and lock no purchases or customers explicitly, because a test can't detect a missing lock.
final class PostgresGroupCommit: Sendable {
    /// The maximum number of attempts of one request that conflicts with other servers.
    private static let attempts = 20
    private static let backoff = Backoff(from: .milliseconds(4), upTo: .milliseconds(100))
    /// The maximum number of attempts of a transaction with several requests.
    private static let attemptsTogether = 3
    /// The time after which a transaction is slow, much longer than the duration of a transaction with many requests.
    static let patience = Duration.milliseconds(500)

    /// A request that waits for its commit.
    private struct Job: Sendable {
        /// Makes the changes, and returns a closure that reports to the caller after the commit; the closure's argument is the position of
        /// the commit, or nil without replicas.
        ///
        /// - Throws: An error after which the transaction can't be committed.
        let run: @Sendable (PostgresTransactionConnection) throws -> @Sendable (WritePosition?) -> Void
        /// Reports an error to the caller; nothing was written.
        let fail: @Sendable (any Error) -> Void
    }

    private let pool: PostgresPool
    /// Returns the position after the last commit of a connection; nil without replicas.
    private let position: @Sendable (PostgresConnection) -> WritePosition?
    private let queue: BatchQueue<Job>

    /// - Parameters:
    ///   - limit: The number of connections of the pool, of which writes use at most half.
    ///   - position: Returns the position after the last commit of a connection; nil without replicas.
    init(
        _ pool: PostgresPool, limit: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        position: @escaping @Sendable (PostgresConnection) -> WritePosition? = { _ in nil }
    ) {
        self.pool = pool
        self.position = position
        queue = BatchQueue(BatchLimits(lanes: 1, lanesIfSlow: max(1, limit / 2), batchSize: 32, patience: Self.patience), now: now)
    }

    /// The number of requests that wait for a transaction.
    var waiting: Int { queue.waiting }

    /// Runs `body`, and returns its value and the position of its commit.
    ///
    /// `body` runs again after a conflict, or if another request of its transaction can't be committed.
    ///
    /// - Throws: The error of `body`, after undoing its changes, or a `PostgresError`.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresTransactionConnection) throws -> Value
    ) async throws -> (value: Value, position: WritePosition?) {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    connection.hasSentChanges = false
                    do {
                        let value = try body(connection)
                        return { continuation.resume(returning: (value, $0)) }
                    } catch let error where connection.hasSentChanges || error is PostgresError {
                        throw error
                    } catch {
                        // Let the other requests commit, because this request has no changes to undo.
                        return { _ in continuation.resume(throwing: error) }
                    }
                },
                fail: { continuation.resume(throwing: $0) })
            if !queue.add(job, run: { await self.writeAll($0[...]) }) { job.fail(StorageError.overloaded) }
        }
    }

    /// Commits requests in one transaction; after a failure, commits each half of the requests separately.
    private func writeAll(_ jobs: ArraySlice<Job>) async {
        for attempt in 1... {
            do {
                let (reports, position) = try await pool.withConnection { try self.commit(jobs, $0) }
                for report in reports { report(position) }
                return
            } catch {
                let conflict = (error as? PostgresError)?.isSerializationFailure ?? false
                if conflict, attempt < (jobs.count == 1 ? Self.attempts : Self.attemptsTogether) {
                    // Wait a random time, so that the same transactions do not conflict again.
                    try? await Task.sleep(for: Self.backoff.delay(after: attempt) * Double.random(in: 0...1))
                    continue
                }
                let concernsOthers = (error as? PostgresError)?.concernsOtherStatements ?? false
                guard jobs.count > 1, !concernsOthers else {
                    for job in jobs { job.fail(error) }
                    // Also fail the waiting requests, because each request would wait for another timeout.
                    if concernsOthers { for job in queue.takeAll() { job.fail(error) } }
                    return
                }
                let middle = jobs.startIndex + jobs.count / 2
                await writeAll(jobs[..<middle])
                await writeAll(jobs[middle...])
                return
            }
        }
    }

    private func commit(
        _ jobs: ArraySlice<Job>, _ connection: PostgresConnection
    ) throws -> ([@Sendable (WritePosition?) -> Void], WritePosition?) {
        let reports = try connection.transaction(isolation: .serializable) { connection in
            let connection = PostgresTransactionConnection(connection)
            let reports = try jobs.map { try $0.run(connection) }
            try connection.requireReplication()
            return reports
        }
        return (reports, position(connection))
    }
}
