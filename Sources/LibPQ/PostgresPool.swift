import Synchronization

/// A pool with a limited number of connections to one database.
///
/// A connection opens at its first use and stays open until the pool is released. A connection that was lost, or in which a transaction
/// was left open, is closed and replaced at its next use. While all connections are busy, callers wait in the order of their arrival.
package final class PostgresPool: Sendable {
    private typealias Waiter = CheckedContinuation<ConnectionWorker, any Error>

    private let leases: Mutex<LeaseQueue<ConnectionWorker, Waiter>>
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
        let worker = try await lease()
        defer { release(worker) }
        return try await worker.run(body)
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

    private func lease() async throws -> ConnectionWorker {
        let waiterID = nextWaiterID.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                acquireOrEnqueue(waiter, waiterID: waiterID)
            }
        } onCancel: {
            leases.withLock { $0.cancel(waiterID: waiterID) }?.resume(throwing: CancellationError())
        }
    }

    /// Resumes a waiter with an idle worker, or enqueues the waiter if all workers are busy.
    ///
    /// Cancellation is checked while the lock is held, so that no cancellation is missed: an earlier one is visible to the check, and a
    /// later one finds the waiter in the queue. The waiter is resumed after the lock is released.
    private func acquireOrEnqueue(_ waiter: Waiter, waiterID: UInt64) {
        let acquired: Result<ConnectionWorker, any Error>? = leases.withLock { leases in
            if Task.isCancelled {
                return .failure(CancellationError())
            }
            if let worker = leases.acquire() {
                return .success(worker)
            }
            leases.enqueue(waiter, waiterID: waiterID)
            return nil
        }
        if let acquired {
            waiter.resume(with: acquired)
        }
    }

    private func release(_ worker: ConnectionWorker) {
        leases.withLock { $0.release(worker) }?.resume(returning: worker)
    }
}
