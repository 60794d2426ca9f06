import Synchronization

/// A pool with a limited number of connections to one database.
///
/// A connection opens at its first use and stays open until the pool is released. A connection that was lost, or in which a transaction
/// was left open, is closed and replaced at its next use. While all connections are busy, callers wait in the order of their arrival.
package final class PostgresPool: Sendable {
    /// A call that needs a connection.
    private struct Job: Sendable {
        /// Calls the body on the worker's thread, and returns a closure that resumes the caller.
        let run: @Sendable (ConnectionWorker) -> () -> Void
        /// Resumes the caller with an error.
        let fail: @Sendable (any Error) -> Void
    }

    private let leases: Mutex<LeaseQueue<ConnectionWorker, Job>>
    private let nextWaiterID = Atomic<UInt64>(0)

    /// Creates a pool without opening a connection.
    ///
    /// - Parameters:
    ///   - connectionString: The connection string; see ``PostgresConnection/init(_:)``.
    ///   - limit: The maximum number of open connections, at least 1.
    ///   - prepare: Is called with each new connection before its first use, such as to change settings of the session.
    package init(
        _ connectionString: String, limit: Int, prepare: @escaping @Sendable (PostgresConnection) throws -> Void = { _ in }
    ) {
        leases = Mutex(LeaseQueue((0..<max(1, limit)).map { _ in ConnectionWorker(connectionString, prepare: prepare) }))
    }

    /// Runs `body` with a connection, on a thread that may block.
    ///
    /// Canceling the task ends its wait for a connection, but does not interrupt a running `body`. To limit the time of statements, set
    /// `statement_timeout` in the connection string's `options`.
    ///
    /// A setting of the session (`SET`) also applies to later callers with the same connection; prefer `SET LOCAL` in a transaction.
    ///
    /// - Throws: `CancellationError` if the task is canceled while it waits, a ``PostgresError`` if no connection could be opened, or the
    ///   error of `body`.
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let waiterID = nextWaiterID.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job(
                    run: { worker in
                        let result = Result { try worker.perform(body) }
                        return { continuation.resume(with: result) }
                    },
                    fail: { continuation.resume(throwing: $0) })
                startOrEnqueue(job, waiterID: waiterID)
            }
        } onCancel: {
            leases.withLock { $0.cancel(waiterID: waiterID) }?.fail(CancellationError())
        }
    }

    /// Runs `body` in a transaction on one connection, and commits it if `body` returns, or rolls it back if `body` throws.
    ///
    /// - Throws: The errors of ``withConnection(_:)``, or a ``PostgresError`` if the transaction could not be committed.
    package func withTransaction<Value: Sendable>(
        isolation: PostgresIsolation = .readCommitted, isReadOnly: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withConnection { connection in
            try connection.transaction(isolation: isolation, isReadOnly: isReadOnly, body)
        }
    }

    /// The number of tasks that wait for a connection.
    var waiterCount: Int {
        leases.withLock { $0.waiterCount }
    }

    /// Starts a job on an idle worker, or enqueues it if all workers are busy.
    ///
    /// Cancellation is checked while the lock is held, so that no cancellation is missed: an earlier one is visible to the check, and a
    /// later one finds the job in the queue.
    private func startOrEnqueue(_ job: Job, waiterID: UInt64) {
        enum Turn {
            case now(ConnectionWorker)
            case later, never
        }
        let turn: Turn = leases.withLock { leases in
            if Task.isCancelled { return .never }
            if let worker = leases.acquire() { return .now(worker) }
            leases.enqueue(job, waiterID: waiterID)
            return .later
        }
        switch turn {
        case .now(let worker): worker.start { self.run(job, on: worker) }
        case .later: break
        case .never: job.fail(CancellationError())
        }
    }

    /// Runs a job, and then those that wait: a switch to another thread takes longer than many statements.
    private func run(_ job: Job, on worker: ConnectionWorker) {
        var next: Job? = job
        while let job = next {
            let resume = job.run(worker)
            next = leases.withLock { $0.release(worker) }
            // The caller is resumed afterwards, so that its next call finds this worker idle.
            resume()
        }
    }
}
