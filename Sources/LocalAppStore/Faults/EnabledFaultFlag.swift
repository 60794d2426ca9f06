import GRDB
import Synchronization

/// A flag in memory that states whether any fault (simulated failure) is enabled, so that a store without faults needs no database access.
final class EnabledFaultFlag: Sendable {
    private let isSet: Mutex<Bool>

    init(_ db: Database) throws {
        isSet = Mutex(try Self.look(db))
    }

    /// Whether at least one fault is enabled.
    var hasEnabledFaults: Bool { isSet.withLock { $0 } }

    /// Updates the flag from the database, with effect from the commit of the running database transaction.
    func change(_ db: Database) throws {
        let found = try Self.look(db)
        // The flag becomes true immediately, because later operations in the same database transaction must see a new fault.
        isSet.withLock { $0 = $0 || found }
        db.afterNextTransaction { _ in self.isSet.withLock { $0 = found } }
    }

    private static func look(_ db: Database) throws -> Bool {
        // The statement is not cached, because most stores run it once, and a cached statement occupies several KiB.
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM faults)") ?? false
    }
}
