import Dispatch

/// A connection, and the thread on which its blocking calls run.
///
/// The conformance to `Sendable` is unchecked, because the compiler cannot verify that `connection` is accessed only on the serial
/// `queue`.
final class ConnectionWorker: @unchecked Sendable {
    private let connectionString: String
    private let prepare: @Sendable (PostgresConnection) throws -> Void
    // A serial dispatch queue runs on a thread outside the pool of Swift concurrency, which blocking calls must not occupy.
    private let queue = DispatchQueue(label: "LibPQ.ConnectionLane")
    private var connection: PostgresConnection?

    init(_ connectionString: String, prepare: @escaping @Sendable (PostgresConnection) throws -> Void) {
        self.connectionString = connectionString
        self.prepare = prepare
    }

    /// Calls `body` on the worker's thread.
    func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` with a connection on the current thread, which must be the worker's, after opening the connection if necessary.
    func perform<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
        let connection = try openConnection()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try body(connection))
        } catch {
            outcome = .failure(error)
        }
        // Only an idle connection is kept. A lost connection, or one with an open transaction, closes at the end of this scope.
        if connection.phase == .idle {
            self.connection = consume connection
        }
        return try outcome.get()
    }

    private func openConnection() throws -> PostgresConnection {
        if let existing = connection.take(), !existing.isClosedByServer {
            return existing
        }
        let connection = try PostgresConnection(connectionString)
        try prepare(connection)
        return connection
    }
}
