import PurchaseModel
import PurchaseStorage

/// A storage that measures its transactions, and reports to a monitor whether its writes succeed.
///
/// After an outage, the server requests the notifications that it refused.
struct MonitoredStorage: PurchaseStorage {
    let storage: any PurchaseStorage
    let monitor: OutageMonitor
    let metrics: ServerMetrics

    var maintenance: StorageMaintenance? { storage.maintenance }

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await measuring("read") { try await storage.read(app, body) }
    }

    func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await measuring("read") { try await storage.readCommitted(app, body) }
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await reporting { try await storage.write(app, body) }
    }

    func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int {
        try await reporting { try await storage.publishFeedEvents(app, limit: limit) }
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await reporting { try await storage.writeSecrets(body) }
    }

    func checkWritable() async throws {
        try await reporting { try await storage.checkWritable() }
    }

    private func measuring<Value>(_ operation: String, _ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer { metrics.observe(.storageDuration, ContinuousClock.now - start, ["operation": operation]) }
        do {
            return try await body()
        } catch let error as StorageError {
            metrics.add(to: .storageFailures, ["operation": operation])
            throw error
        }
    }

    private func reporting<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            let value = try await measuring("write", write)
            monitor.succeeded()
            return value
        } catch let error as StorageError {
            monitor.failed()
            throw error
        }
    }
}
