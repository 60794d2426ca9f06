import LibPQ
import PurchaseModel
import Synchronization

/// The replicas of a PostgreSQL database, which answer the reads of callers who accept their state.
final class PostgresReplicas: Sendable {
    /// The time without reads from the replicas after one could not be reached.
    private static let pause = Duration.seconds(5)
    /// Whether the server has replayed the log up to a position; the primary contains all of it.
    private static let check = "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_current"

    private let pool: PostgresPool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let resumesAt = Mutex<ContinuousClock.Instant?>(nil)

    init(
        _ url: String, connections: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        prepare: @escaping @Sendable (PostgresConnection) throws -> Void
    ) {
        pool = PostgresPool(url, limit: connections, prepare: prepare)
        self.now = now
    }

    /// Runs `body` with a connection to a replica; returns nil if none can be used, or none has reached the position.
    ///
    /// - Throws: The error of `body`, except for an error of PostgreSQL.
    func read<Value: Sendable>(
        _ position: WritePosition, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value? {
        guard resumesAt.withLock({ $0.map { now() >= $0 } ?? true }) else { return nil }
        do {
            return try await pool.withConnection { connection in
                // A statement of its own, because the snapshot of the transaction must be later.
                let rows = try connection.queryPrepared(Self.check, [.text(position.description)])
                guard try rows.first?.boolOrNull("is_current") == true else { return nil }
                return try body(connection)
            }
        } catch let error as PostgresError {
            // The replica is not available, or canceled the transaction because the primary has removed its rows. The primary answers.
            if error.isUnavailable { resumesAt.withLock { $0 = now() + Self.pause } }
            return nil
        }
    }
}
