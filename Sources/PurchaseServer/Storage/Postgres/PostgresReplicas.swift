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
        guard mayRead() else { return nil }
        do {
            return try await pool.withConnection { connection in
                // A statement of its own, because the snapshot of the transaction must be later.
                let rows = try connection.queryPrepared(Self.check, [.text(position.description)])
                self.resumesAt.withLock { $0 = nil }
                guard try rows.first?.boolOrNull("is_current") == true else { return nil }
                return try body(connection)
            }
        } catch CustomerRefusal.token {
            // The token can be newer than the position.
            return nil
        } catch let error as PostgresError {
            // The replica is not available, or canceled the transaction because the primary has removed its rows. The primary answers.
            if error.isUnavailable { resumesAt.withLock { $0 = now() + Self.pause } }
            return nil
        }
    }

    /// Whether the replicas are used; after a pause, one read tries them first.
    private func mayRead() -> Bool {
        resumesAt.withLock { date in
            guard let resumption = date else { return true }
            guard now() >= resumption else { return false }
            date = now() + Self.pause
            return true
        }
    }
}
