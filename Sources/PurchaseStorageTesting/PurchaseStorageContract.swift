import PurchaseModel
public import PurchaseServer

/// The promises of a `PurchaseStorage`, each as a check that runs against an empty storage.
///
/// Run every check of ``checks`` against your implementation, in any test framework:
///
/// ```swift
/// @Test(arguments: PurchaseStorageContract.checks)
/// func `the storage keeps its promises`(_ check: PurchaseStorageContract.Check) async throws {
///     try await check.run { try MyStorage(emptyDatabase()) }
/// }
/// ```
public enum PurchaseStorageContract {
    /// One promise.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise as a sentence.
        public let description: String
        let body: @Sendable (any PurchaseStorage, ContractEvents) async throws -> Void

        /// Checks the promise.
        ///
        /// - Parameter open: Opens an empty storage.
        /// - Throws: ``ContractViolation`` if the storage breaks the promise; an error of the storage.
        public func run(_ open: () async throws -> any PurchaseStorage) async throws {
            try await body(open(), ContractEvents.shared.get())
        }
    }

    /// All promises.
    public static let checks: [Check] =
        transactionChecks + purchaseChecks + ledgerChecks + customerChecks + reconciliationChecks
        + contentChecks

    static let app: BundleID = "com.example.contract"
}

/// The error that a storage breaks a promise of ``PurchaseStorageContract``.
public struct ContractViolation: Error, Hashable, CustomStringConvertible {
    /// What was expected, and what the storage returned.
    public let description: String
}

/// Throws ``ContractViolation`` unless two values are equal.
func expect<Value: Equatable>(_ actual: Value, equals expected: Value, _ what: String) throws(ContractViolation) {
    guard actual == expected else { throw ContractViolation(description: "\(what): expected \(expected), got \(actual)") }
}
