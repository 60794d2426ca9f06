import GRDB
import PurchaseModel

/// The operations of a store, without HTTP: each operation is one database transaction.
///
/// Extensions group the operations by subject.
struct StoreLedger: Sendable {
    let database: StoreDatabase
    let clock: StoreClock
    let apps: StoreApps
    let signer: StoreSigner
    let eventBroadcast: EventBroadcast
    let faults: EnabledFaultFlag
    /// The number of due events that a request processes before it fails because the store is behind.
    let eventsPerRequest: Int

    /// Writes in one database transaction.
    ///
    /// The current time is read inside the transaction, so that the dates of writes are in the order of the writes.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database, Timestamp) throws -> Value) async throws -> Value {
        // The database runs on another thread, which does not inherit the task-local effects.
        let effects = SigningEffects.current
        return try await database.write { db in
            try SigningEffects.$current.withValue(effects) { try change(db, clock.now) }
        }
    }

    /// Reads a consistent snapshot of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let effects = SigningEffects.current
        return try await database.read { db in
            try SigningEffects.$current.withValue(effects) { try body(db) }
        }
    }
}
