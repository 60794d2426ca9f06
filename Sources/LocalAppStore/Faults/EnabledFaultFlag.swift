import GRDB
import Synchronization

/// A flag in memory that states whether any fault (simulated failure) is enabled, so that a store without faults needs no database access.
final class EnabledFaultFlag: Sendable {
    private struct State {
        var hasCommitted: Bool
        /// The value in the running database transaction, if it has changed the faults.
        var hasUncommitted: Bool?
    }

    private let state: Mutex<State>

    init(_ db: Database) throws {
        state = Mutex(State(hasCommitted: try Self.look(db)))
    }

    /// Whether at least one fault is enabled.
    ///
    /// The flag is true as soon as a running database transaction has enabled a fault, because later operations in the same transaction must
    /// see it.
    var hasEnabledFaults: Bool { state.withLock { $0.hasCommitted || $0.hasUncommitted == true } }

    /// Updates the flag from the database, with effect from the commit of the running database transaction.
    func change(_ db: Database) throws {
        let found = try Self.look(db)
        state.withLock { $0.hasUncommitted = found }
        db.afterNextTransaction(onCommit: { _ in self.end(isCommitted: true) }, onRollback: { _ in self.end(isCommitted: false) })
    }

    private func end(isCommitted: Bool) {
        state.withLock { state in
            if isCommitted, let found = state.hasUncommitted { state.hasCommitted = found }
            state.hasUncommitted = nil
        }
    }

    private static func look(_ db: Database) throws -> Bool {
        // The statement is not cached, because most stores run it once, and a cached statement occupies several KiB.
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM faults)") ?? false
    }
}
