import Foundation
import PurchaseModel
public import PurchaseStorage

/// The checks that any implementation of `PurchaseStorage` must pass, each for one promise and with an empty storage.
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

    /// Checks that a storage that is opened again contains the records of committed transactions, and no record of a failed transaction.
    ///
    /// Run the check against a database that survives its storage, such as a file.
    ///
    /// - Parameter open: Opens the same database; it is called twice, and the database is empty before the first call.
    /// - Throws: ``ContractViolation`` if the storage breaks the promise; an error of the storage.
    public static func checkDurability(_ open: () async throws -> any PurchaseStorage) async throws {
        let events = try ContractEvents.shared.get()
        let event = try await events.event(events.transaction("1"))
        let lookup = PurchaseLookup(purchase: "1", dueAt: ContractEvents.start, askedAt: ContractEvents.start)
        func write(_ storage: any PurchaseStorage) async throws {
            try await storage.write(app) { records in
                _ = try records.insert(event, receivedAt: ContractEvents.start)
                try records.put(lookup)
            }
            do {
                try await storage.write(app) { records in
                    try records.put(Data([1]), named: "undone")
                    throw ContractViolation(description: "undone")
                }
            } catch is ContractViolation {}
        }
        try await write(open())
        let (stored, found, undone) = try await open().read(app) { records in
            (try records.decidingEvidence(of: "1"), try records.lookup(of: "1"), try records.secret("undone"))
        }
        let expected = StoredEvent(evidence: event.evidence, event: event.event, receivedAt: ContractEvents.start)
        try expect(stored, equals: [expected], "the event after the storage was opened again")
        try expect(found, equals: lookup, "the look-up after the storage was opened again")
        try expect(undone, equals: nil, "the secret of a failed transaction after the storage was opened again")
    }

    /// All promises.
    public static let checks: [Check] =
        transactionChecks + purchaseChecks + ledgerChecks + customerChecks + reconciliationChecks
        + contentChecks + teamChecks + feedChecks + webhookChecks

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
