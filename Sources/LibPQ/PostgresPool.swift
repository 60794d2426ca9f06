import Synchronization

/// A bounded number of connections to one database, lent one at a time.
///
/// Connections open when first needed and stay open. One that was lost, or comes back in the middle of a transaction,
/// is discarded and its place filled anew. Who finds none free waits in line, first come, first served. All connections
/// close with the pool.
package final class PostgresPool: Sendable {
    private typealias Waiter = CheckedContinuation<ConnectionLane, any Error>

    private let leases: Mutex<LeaseQueue<ConnectionLane, Waiter>>
    private let nextTicket = Atomic<UInt64>(0)

    /// Creates a pool without connecting yet.
    ///
    /// - Parameters:
    ///   - connectionString: As for ``PostgresConnection/init(_:)``.
    ///   - limit: How many connections may be open at once; at least one.
    package init(_ connectionString: String, limit: Int) {
        leases = Mutex(LeaseQueue((0..<max(1, limit)).map { _ in ConnectionLane(connectionString) }))
    }

    /// Lends a connection to `body`, which runs on a thread where blocking is harmless.
    ///
    /// Cancelling the task ends its wait for a connection with `CancellationError`. A body that has begun is not
    /// interrupted: set `statement_timeout` in the connection string's `options` where statements must be bounded. The
    /// body is synchronous, so it cannot wait for a second connection while it keeps the first from others.
    ///
    /// What a body sets for the session, the next one inherits: prefer `SET LOCAL` in a transaction.
    ///
    /// - Throws: `CancellationError`, a ``PostgresError`` if no connection could be opened, or what `body` throws.
    package func withConnection<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresConnection) throws -> Value
    ) async throws -> Value {
        let lane = try await lease()
        defer { giveBack(lane) }
        return try await lane.run(body)
    }

    /// Lends a connection and runs `body` in a transaction: all of it is kept if it returns, none of it if it throws.
    ///
    /// - Throws: As ``withConnection(_:)`` does, or a ``PostgresError`` if the transaction could not be kept.
    package func withTransaction<Value: Sendable>(
        isolation: PostgresIsolation = .readCommitted,
        _ body: @escaping @Sendable (borrowing PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withConnection { connection in
            try connection.transaction(isolation: isolation, body)
        }
    }

    /// How many tasks wait for a connection.
    var lineLength: Int {
        leases.withLock { $0.lineLength }
    }

    private func lease() async throws -> ConnectionLane {
        let ticket = nextTicket.wrappingAdd(1, ordering: .relaxed).oldValue
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                stand(waiter, ticket: ticket)
            }
        } onCancel: {
            leases.withLock { $0.withdraw(ticket: ticket) }?.resume(throwing: CancellationError())
        }
    }

    /// Serves a waiter at once, or puts it in line.
    ///
    /// Cancellation is asked for under the lock: a task cancelled earlier is seen here, one cancelled later finds its
    /// waiter in line. The lock is left before the waiter is resumed.
    private func stand(_ waiter: Waiter, ticket: UInt64) {
        let answer: Result<ConnectionLane, any Error>? = leases.withLock { leases in
            if Task.isCancelled {
                return .failure(CancellationError())
            }
            if let lane = leases.take() {
                return .success(lane)
            }
            leases.enqueue(waiter, ticket: ticket)
            return nil
        }
        if let answer {
            waiter.resume(with: answer)
        }
    }

    private func giveBack(_ lane: ConnectionLane) {
        leases.withLock { $0.giveBack(lane) }?.resume(returning: lane)
    }
}
