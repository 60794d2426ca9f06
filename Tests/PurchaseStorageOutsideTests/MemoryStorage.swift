import PurchaseModel
import PurchaseServer
import Synchronization

/// A storage in memory, as another package implements one: it uses public declarations only, and forgets everything with the process.
final class MemoryStorage: PurchaseStorage {
    private let apps = Mutex<[BundleID: MemoryRecords]>([:])

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try body(MemoryTransaction(app: app, records: apps.withLock { $0[app] } ?? MemoryRecords()))
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try apps.withLock { apps in
            let transaction = MemoryTransaction(app: app, records: apps[app] ?? MemoryRecords())
            let value = try body(transaction)
            apps[app] = transaction.records
            return value
        }
    }

    func appsWithSecrets() async throws -> Set<BundleID> {
        apps.withLock { apps in Set(apps.filter { !$0.value.secrets.isEmpty }.keys) }
    }

    func checkWritable() async throws {}
}
