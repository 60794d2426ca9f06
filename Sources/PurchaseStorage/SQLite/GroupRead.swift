import GRDB

/// Reads a SQLite database for many concurrent requests in few transactions.
///
/// Starting and ending a transaction takes longer than most reads. Two transactions run at the same time, each on a separate connection. A
/// request that arrives while both transactions are slow starts another transaction. Requests that arrive while all transactions are busy
/// share the next transaction. A transaction starts after the arrival of its requests, so each request reads all earlier commits.
final class GroupRead: Sendable {
    /// The limits of concurrent transactions, and of the requests in one transaction.
    ///
    /// With more than two transactions, each transaction would serve fewer requests and wait for the others. While transactions are slow,
    /// such as with a long history, four transactions run at the same time, one fewer than the reader connections of GRDB.
    static let limits = BatchLimits(lanes: 2, lanesIfSlow: 4, batchSize: 32)

    /// A request that waits for a transaction.
    private struct Job: Sendable {
        /// Reads, and reports the result to the caller.
        let run: @Sendable (Database) -> Void
        /// Reports an error to the caller; nothing was read.
        let fail: @Sendable (StorageError) -> Void
    }

    private let reader: any DatabaseReader
    private let queue: BatchQueue<Job>

    init(_ reader: any DatabaseReader, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.reader = reader
        queue = BatchQueue(Self.limits, now: now)
    }

    /// The number of requests that wait for a transaction.
    var waiting: Int { queue.waiting }

    /// Runs `body`, and returns its result.
    ///
    /// - Throws: The error of `body`; ``StorageError`` if the database can't be read.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard queue.takeLane() else { return try await enqueue(body) }
        defer { queue.freeLane { await self.readAll($0) } }
        do {
            return try await reader.read(body)
        } catch {
            throw StorageError(error) ?? error
        }
    }

    private func enqueue<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { db in continuation.resume(with: Result { try body(db) }.mapError { StorageError($0) ?? $0 }) },
                fail: { continuation.resume(throwing: $0) })
            if !queue.add(job, run: { await self.readAll($0) }) { job.fail(.overloaded) }
        }
    }

    private func readAll(_ jobs: [Job]) async {
        do {
            try await reader.read { db in self.run(jobs, db) }
        } catch {
            // Fail all requests: GRDB throws without running the closure if the database is closed.
            for job in jobs { job.fail(StorageError(error) ?? .failed("\(type(of: error))")) }
        }
    }

    private func run(_ jobs: [Job], _ db: Database) {
        for job in jobs {
            // Skip the read after an error, such as a disk error, for which SQLite has ended the transaction.
            if db.isInsideTransaction {
                job.run(db)
            } else {
                job.fail(.failed("ROLLBACK"))
            }
        }
    }
}
