import PurchaseModel

@testable import PurchaseServer
@testable import PurchaseStorage

/// A storage of one process of a server, which ends at a write, or finds a full disk.
struct SimulatedStorage: PurchaseStorage {
    /// The error of everything that a process tries after its end.
    struct Ended: Error {}

    let disk: any PurchaseStorage
    let faults: ProcessFaults

    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        guard !faults.hasEnded else { throw Ended() }
        return try await disk.read(app, body)
    }

    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        switch faults.decide() {
        case .succeeds: return try await disk.write(app, body)
        case .findsFullDisk: throw StorageError.full
        case .hasEnded, .ends(isKept: false): throw Ended()
        case .ends(isKept: true):
            _ = try await disk.write(app, body)
            throw Ended()
        }
    }

    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value {
        switch faults.decide() {
        case .succeeds: return try await disk.writeSecrets(body)
        case .findsFullDisk: throw StorageError.full
        case .hasEnded, .ends(isKept: false): throw Ended()
        case .ends(isKept: true):
            _ = try await disk.writeSecrets(body)
            throw Ended()
        }
    }

    func checkWritable() async throws { try await disk.checkWritable() }
}
