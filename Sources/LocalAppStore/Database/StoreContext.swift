import GRDB
import PurchaseModel

/// The state that the services of an open store share: its database, its clock, its apps, its keys and its event streams.
///
/// This is a class, because each service has a reference to it, and a service is copied with each service that uses it.
final class StoreContext: Sendable {
    let database: StoreDatabase
    let clock: StoreClock
    let apps: StoreApps
    let signer: StoreSigner
    let eventBroadcast: EventBroadcast
    let faultFlag: EnabledFaultFlag
    /// The announcement of each commit, after which the store may have new work.
    let changes = StoreChanges()

    init(
        database: StoreDatabase, clock: StoreClock, apps: StoreApps, signer: StoreSigner, eventBroadcast: EventBroadcast,
        faultFlag: EnabledFaultFlag
    ) {
        self.database = database
        self.clock = clock
        self.apps = apps
        self.signer = signer
        self.eventBroadcast = eventBroadcast
        self.faultFlag = faultFlag
    }

    /// Runs a closure in one database transaction, with the store's current time.
    ///
    /// After the commit, the event streams receive the transaction's events, and the store is checked for new work.
    ///
    /// The time is read inside the database transaction, so that the dates of all writes are in the order of the writes.
    func transaction<Value: Sendable>(_ change: @escaping @Sendable (Database, Timestamp) throws -> Value) async throws -> Value {
        // GRDB runs the closure on another thread, which does not inherit task-local values, so the effects of faults are passed on here.
        let effects = SigningEffects.current
        let value = try await database.write { [clock, eventBroadcast] db in
            db.afterNextTransaction(
                onCommit: { _ in eventBroadcast.publishInserted() }, onRollback: { _ in eventBroadcast.discardInserted() })
            return try SigningEffects.$current.withValue(effects) { try change(db, clock.now) }
        }
        changes.announce()
        return value
    }

    /// Runs a closure that reads a consistent snapshot of the database.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let effects = SigningEffects.current
        return try await database.read { db in
            try SigningEffects.$current.withValue(effects) { try body(db) }
        }
    }
}
