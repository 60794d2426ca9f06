import PurchaseModel

@testable import PurchaseServer
@testable import PurchaseStorage

/// A storage that answers before the commit, so that the end of the process undoes what was acknowledged.
struct EarlyStorage: PurchaseStorage {
    /// Undoes a write, and keeps its result.
    private struct Undone<Value: Sendable>: Error {
        let value: Value
    }

    let disk: any PurchaseStorage
    let faults: ProcessFaults

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await SimulatedStorage(disk: disk, faults: faults).read(app, body)
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        guard faults.willLoseNextWrite else { return try await SimulatedStorage(disk: disk, faults: faults).write(app, body) }
        do {
            return try await disk.write(app) { throw Undone(value: try body($0)) }
        } catch let undone as Undone<Value> {
            return undone.value
        }
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        try await SimulatedStorage(disk: disk, faults: faults).writeSecrets(body)
    }

    func checkWritable() async throws { try await disk.checkWritable() }
}
