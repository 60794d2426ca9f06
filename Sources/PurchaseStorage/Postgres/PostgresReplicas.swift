import LibPQ
import PurchaseModel
import Synchronization

/// The replicas of a PostgreSQL database, which answer requests that state a position in the write-ahead log.
final class PostgresReplicas: Sendable {
    /// The time without reads from the replicas after a failed connection.
    private static let pause = Duration.seconds(5)
    /// The query that returns whether a server has replayed the log up to a position; always true on the primary.
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

    /// Runs `body` with a connection to a replica; returns nil if no replica is available, or the replica has not reached the position.
    ///
    /// - Throws: The error of `body`. The method returns nil for an error of PostgreSQL, or for an error that depends on the position.
    func read<Value: Sendable>(
        _ position: WritePosition, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value? {
        guard mayRead() else { return nil }
        do {
            return try await pool.withConnection { connection in
                // Check the position in a separate statement before `body`, because the snapshot of `body` must be later than the check.
                let rows = try connection.queryPrepared(Self.check, [.text(position.description)])
                self.resumesAt.withLock { $0 = nil }
                guard try rows.first?.boolOrNull("is_current") == true else { return nil }
                return try body(connection)
            }
        } catch let error as any PositionDependentError where error.dependsOnPosition {
            return nil
        } catch let error as PostgresError {
            // Return nil, so that the primary answers: the replica is unavailable, or has canceled a transaction whose rows the primary
            // removed.
            if error.isUnavailable { resumesAt.withLock { $0 = now() + Self.pause } }
            return nil
        }
    }

    /// Returns whether a read may use the replicas; while the replicas are unavailable, one read per ``pause`` tests the replicas.
    private func mayRead() -> Bool {
        resumesAt.withLock { date in
            guard let resumption = date else { return true }
            guard now() >= resumption else { return false }
            date = now() + Self.pause
            return true
        }
    }
}

/// An error whose cause may be a record that the replica lacks; the primary must repeat the read.
package protocol PositionDependentError: Error {
    /// Whether the read can succeed on the primary.
    var dependsOnPosition: Bool { get }
}
