import Dispatch

/// A connection, and the thread on which its blocking calls run.
///
/// The conformance is unchecked, because the compiler cannot verify that only blocks on the serial `queue` access `connection`.
final class ConnectionWorker: @unchecked Sendable {
    private let connectionString: String
    // A serial queue without a target queue has its own thread while it is busy. The threads of the concurrency pool stay free.
    private let queue = DispatchQueue(label: "LibPQ.ConnectionLane")
    private var connection: PostgresConnection?

    init(_ connectionString: String) {
        self.connectionString = connectionString
    }

    /// Runs `body` with an open connection on the worker's thread; opens a connection if there is none.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (borrowing PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try self.perform(body) })
            }
        }
    }

    private func perform<Value>(_ body: (borrowing PostgresConnection) throws -> Value) throws -> Value {
        let connection = try openConnection()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try body(connection))
        } catch {
            outcome = .failure(error)
        }
        // A lost connection, or a connection with an open transaction, closes at the end of this scope instead of being reused.
        if connection.phase == .idle {
            self.connection = consume connection
        }
        return try outcome.get()
    }

    private func openConnection() throws(PostgresError) -> PostgresConnection {
        if let existing = connection.take(), !existing.isClosedByServer {
            return existing
        }
        return try PostgresConnection(connectionString)
    }
}
