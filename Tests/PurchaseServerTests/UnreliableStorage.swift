import PurchaseModel
import Synchronization

@testable import PurchaseServer
@testable import PurchaseStorage

/// A storage that fails while it is unavailable.
final class UnreliableStorage: PurchaseStorage {
    private let base: SQLitePurchaseStorage
    private let failure = Mutex<StorageError?>(nil)

    init() throws { base = try SQLitePurchaseStorage(.memory) }

    func fail(_ error: StorageError?) { failure.withLock { $0 = error } }

    private func check() throws { if let error = failure.withLock({ $0 }) { throw error } }

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try check()
        return try await base.read(app, body)
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try check()
        return try await base.write(app, body)
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try check()
        return try await base.writeSecrets(body)
    }

    func checkWritable() async throws {
        try check()
        try await base.checkWritable()
    }
}
