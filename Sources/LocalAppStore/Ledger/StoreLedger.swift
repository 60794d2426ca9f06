import GRDB
import PurchaseModel

/// The operations of a store, such as purchases and refunds, independent of HTTP; each operation is one database transaction.
///
/// Extensions group the operations by subject.
struct StoreLedger: Sendable {
    let database: StoreDatabase
    let clock: StoreClock
    let apps: StoreApps
    let signer: StoreSigner
    let eventBroadcast: EventBroadcast
    let faults: EnabledFaultFlag
    /// The maximum number of due events, such as renewals, that the store processes before it responds to a request.
    let eventsPerRequest: Int

    /// Runs a closure in one database transaction, with the store's current time.
    ///
    /// The time is read inside the database transaction, so that the dates of all writes are in the order of the writes.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database, Timestamp) throws -> Value) async throws -> Value {
        // GRDB runs the closure on another thread, which does not inherit task-local values, so the effects of faults are passed on here.
        let effects = SigningEffects.current
        return try await database.write { db in
            try SigningEffects.$current.withValue(effects) { try change(db, clock.now) }
        }
    }

    /// Runs a closure that reads a consistent snapshot of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let effects = SigningEffects.current
        return try await database.read { db in
            try SigningEffects.$current.withValue(effects) { try body(db) }
        }
    }
}
