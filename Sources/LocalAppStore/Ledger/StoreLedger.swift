import GRDB
import PurchaseModel

/// Everything the store knows and does, without HTTP: each verb is one database transaction and keeps one promise.
///
/// The verbs are in extensions, by subject.
struct StoreLedger: Sendable {
    let database: StoreDatabase
    let clock: StoreClock
    let apps: StoreApps
    let signer: StoreSigner
    let news: EventBroadcast
    let faults: FaultPresence
    /// How many events happen before whoever waits for them is told that there are more.
    let eventsPerTurn: Int

    /// Writes in one transaction.
    ///
    /// The time is read inside, so that writes are dated in the order in which they happen.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database, Timestamp) throws -> Value) async throws -> Value {
        // The database works on a thread of its own, which does not know what this task does.
        let effects = SigningEffects.current
        return try await database.write { db in
            try SigningEffects.$current.withValue(effects) { try change(db, clock.now) }
        }
    }

    /// Reads one state of the database.
    func read<Value: Sendable>(_ look: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let effects = SigningEffects.current
        return try await database.read { db in
            try SigningEffects.$current.withValue(effects) { try look(db) }
        }
    }
}
