import GRDB

/// Writes the changes of many concurrent requests to a SQLite database in one commit, with one flush of the disk.
///
/// A request waits until the disk has stored its changes. Requests that arrive during a flush share the next commit. Each request runs in a
/// savepoint, so that an error undoes the changes of one request only.
final class GroupCommit: Sendable {
    /// A request that waits for its commit.
    private struct Job: Sendable {
        /// Makes the changes; the returned outcome reports to the caller after the commit.
        let run: @Sendable (Database) -> Outcome
        /// Reports an error to the caller; nothing was written.
        let fail: @Sendable (StorageError) -> Void
    }

    private struct Outcome {
        /// Whether the body returned without an error, so that its changes are committed.
        let isSuccess: Bool
        /// The database error that the body reported; such an error may end the transaction of all requests.
        var storageError: StorageError?
        /// Reports to the caller; the argument is the error of the commit, or nil after a successful commit.
        let report: (StorageError?) -> Void

        init<Value>(_ result: Result<Value, any Error>, report: @escaping (StorageError?) -> Void) {
            switch result {
            case .success: isSuccess = true
            case .failure(let error):
                isSuccess = false
                storageError = error as? StorageError
            }
            self.report = report
        }
    }

    private let writer: any DatabaseWriter
    private let queue = BatchQueue<Job>(BatchLimits(lanes: 1, lanesIfSlow: 1, batchSize: 256))
    /// Checks before each commit that the opened database file was not deleted or replaced.
    private let checkFile: @Sendable () throws(StorageError) -> Void

    init(_ writer: any DatabaseWriter, checkFile: @escaping @Sendable () throws(StorageError) -> Void) {
        self.writer = writer
        self.checkFile = checkFile
    }

    /// Runs `body`, and returns after the commit of its changes.
    ///
    /// - Throws: The error of `body`, after undoing its changes; ``StorageError`` if the changes could not be committed.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(
                Job(
                    run: { db in
                        let result = Result { try body(db) }.mapError { StorageError($0) ?? $0 }
                        return Outcome(result) { error in continuation.resume(with: error.map { .failure($0) } ?? result) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                ))
        }
    }

    private func submit(_ job: Job) {
        if !queue.add(job, run: { await self.writeAll($0) }) { job.fail(.overloaded) }
    }

    private func writeAll(_ jobs: [Job]) async {
        do {
            try await writer.writeWithoutTransaction { db in self.commit(jobs, db) }
        } catch {
            // Fail all requests: GRDB throws without running the closure if the database is closed.
            for job in jobs { job.fail(StorageError(error) ?? .failed("\(type(of: error))")) }
        }
    }

    private func commit(_ jobs: [Job], _ db: Database) {
        do {
            try db.beginTransaction(.immediate)
        } catch {
            // Another process held the lock during the busy timeout. Also fail the waiting requests, because each request would wait for
            // another timeout.
            for job in jobs + queue.takeAll() { job.fail(StorageError(error) ?? .failed("BEGIN")) }
            return
        }
        var outcomes: [Outcome] = []
        for job in jobs {
            // Stop after an error, such as a full disk, for which SQLite has rolled back the whole transaction.
            guard db.isInsideTransaction else { break }
            // Run a single request without a savepoint, because the rollback of the transaction undoes its changes.
            outcomes.append(jobs.count == 1 ? job.run(db) : runInSavepoint(job, db))
        }
        var failure: StorageError?
        do {
            guard db.isInsideTransaction else { throw outcomes.last?.storageError ?? .failed("ROLLBACK") }
            if jobs.count == 1, outcomes.first?.isSuccess == false {
                try db.rollback()
            } else {
                try checkFile()
                try db.commit()
            }
        } catch {
            failure = StorageError(error) ?? .failed("COMMIT")
            if db.isInsideTransaction { try? db.rollback() }
        }
        for outcome in outcomes { outcome.report(failure) }
        for job in jobs.dropFirst(outcomes.count) { job.fail(failure ?? .failed("ROLLBACK")) }
    }

    private func runInSavepoint(_ job: Job, _ db: Database) -> Outcome {
        do {
            try execute("SAVEPOINT request", db)
            let outcome = job.run(db)
            if db.isInsideTransaction {
                if !outcome.isSuccess { try execute("ROLLBACK TO request", db) }
                try execute("RELEASE request", db)
            }
            return outcome
        } catch {
            let failure = StorageError(error) ?? .failed("SAVEPOINT")
            if db.isInsideTransaction { try? db.rollback() }
            return Outcome(Result<Void, any Error>.failure(failure)) { _ in job.fail(failure) }
        }
    }

    private func execute(_ sql: String, _ db: Database) throws {
        try db.cachedStatement(sql: sql).execute()
    }
}
