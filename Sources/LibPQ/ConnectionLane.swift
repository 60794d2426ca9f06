import Dispatch

/// A thread's worth of work and the connection that goes with it.
///
/// Unchecked because the compiler cannot see that `connection` is touched only by blocks on `queue`, one at a time.
final class ConnectionLane: @unchecked Sendable {
    private let connectionString: String
    // A serial queue without a target gets a thread of its own while it is busy; tasks keep theirs.
    private let queue = DispatchQueue(label: "LibPQ.ConnectionLane")
    private var connection: PostgresConnection?

    init(_ connectionString: String) {
        self.connectionString = connectionString
    }

    /// Runs `body` on the lane's thread with an open connection, connecting if there is none.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.work(body) })
            }
        }
    }

    private func work<Value>(_ body: (borrowing PostgresConnection) throws -> Value) throws -> Value {
        let connection = try openConnection()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try body(connection))
        } catch {
            outcome = .failure(error)
        }
        // A lost connection, or one left in a transaction, is not for the next in line: it closes at the end of this
        // scope.
        if connection.phase == .idle {
            self.connection = consume connection
        }
        return try outcome.get()
    }

    private func openConnection() throws(PostgresError) -> PostgresConnection {
        if let kept = connection.take(), !kept.isHungUp {
            return kept
        }
        return try PostgresConnection(connectionString)
    }
}
