import PurchaseModel
import PurchaseServer
import PurchaseStorage
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

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try apps.withLock { apps in
            let secrets = MemorySecrets(apps)
            let value = try body(secrets)
            for (app, transaction) in secrets.transactions { apps[app] = transaction.records }
            return value
        }
    }

    func checkWritable() async throws {}
}

/// The secrets of all apps in a transaction.
private final class MemorySecrets: SharedSecretRecords {
    private let stored: [BundleID: MemoryRecords]
    private(set) var transactions: [BundleID: MemoryTransaction] = [:]

    init(_ stored: [BundleID: MemoryRecords]) { self.stored = stored }

    func apps() -> [BundleID] { stored.filter { !$0.value.secrets.isEmpty }.keys.sorted() }

    func secrets(of app: BundleID) -> any SecretRecords {
        let transaction = transactions[app] ?? MemoryTransaction(app: app, records: stored[app] ?? MemoryRecords())
        transactions[app] = transaction
        return transaction
    }
}
