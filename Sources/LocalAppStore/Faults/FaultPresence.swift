import GRDB
import Synchronization

/// Whether any fault is switched on, at hand without asking the database: a store without faults pays nothing for them.
final class FaultPresence: Sendable {
    private let isPresent: Mutex<Bool>

    init(_ db: Database) throws {
        isPresent = Mutex(try Self.look(db))
    }

    /// Whether any is.
    var areOn: Bool { isPresent.withLock { $0 } }

    /// Looks again when the running database transaction is done.
    func change(_ db: Database) throws {
        let found = try Self.look(db)
        // Told at once: the next call in the same transaction has to find what this one switched on.
        isPresent.withLock { $0 = $0 || found }
        db.afterNextTransaction { _ in self.isPresent.withLock { $0 = found } }
    }

    private static func look(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM faults)")) ?? false
    }
}
