import PurchaseModel
import PurchaseStorage
package import ServerProtocol

/// The context of the events that a task causes.
package enum FeedContext {
    /// The cause of the changes of the current task; nil to derive the cause from the changes.
    @TaskLocal package static var cause: FeedEventCause?
}

/// A storage that inserts the events of changes, and the deliveries of notifications, in the transactions of the changes.
struct FeedStorage: PurchaseStorage {
    let storage: any PurchaseStorage
    let emitter: FeedEmitter
    let fanOut: NotificationFanOut
    let signal: FeedSignal

    var maintenance: StorageMaintenance? { storage.maintenance }

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await storage.read(app, body)
    }

    func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await storage.readCommitted(app, body)
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        guard app == emitter.app else { return try await storage.write(app, body) }
        let (cause, emitter, fanOut) = (FeedContext.cause, emitter, fanOut)
        let (value, hasMessages) = try await storage.write(app) { records in
            let observed = ObservedTransaction(records)
            let value = try body(observed)
            let hasEvents = try emitter.emit(observed.changes, cause, in: records)
            let hasDeliveries = try fanOut.enqueue(observed.notifications, in: records)
            return (value, hasEvents || hasDeliveries)
        }
        if hasMessages { signal.notify() }
        return value
    }

    func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int {
        try await storage.publishFeedEvents(app, limit: limit)
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await storage.writeSecrets(body)
    }

    func checkWritable() async throws { try await storage.checkWritable() }
}
