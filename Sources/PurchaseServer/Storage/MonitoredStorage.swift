import PurchaseModel
import PurchaseStorage

/// A storage that reports to a monitor whether its writes succeed, so that the server requests refused notifications after an outage.
struct MonitoredStorage: PurchaseStorage {
    let storage: any PurchaseStorage
    let monitor: OutageMonitor

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
        try await reporting { try await storage.write(app, body) }
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await reporting { try await storage.writeSecrets(body) }
    }

    func checkWritable() async throws {
        try await reporting { try await storage.checkWritable() }
    }

    private func reporting<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            let value = try await write()
            monitor.succeeded()
            return value
        } catch let error as StorageError {
            monitor.failed()
            throw error
        }
    }
}
