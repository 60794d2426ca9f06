import GRDB
import Synchronization

/// Whether any fault is enabled, kept in memory so that a store without faults needs no database access.
final class EnabledFaultFlag: Sendable {
    private let isSet: Mutex<Bool>

    init(_ db: Database) throws {
        isSet = Mutex(try Self.look(db))
    }

    /// Whether at least one fault is enabled.
    var hasEnabledFaults: Bool { isSet.withLock { $0 } }

    /// Updates the value when the running database transaction is committed.
    func change(_ db: Database) throws {
        let found = try Self.look(db)
        // The value becomes true at once, because the next request in the same transaction must see the new fault.
        isSet.withLock { $0 = $0 || found }
        db.afterNextTransaction { _ in self.isSet.withLock { $0 = found } }
    }

    private static func look(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM faults)")) ?? false
    }
}
