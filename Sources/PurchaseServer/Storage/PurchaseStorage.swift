public import PurchaseModel

/// The database of a purchase server.
///
/// All decisions about purchases, credits and customers are made by the server; a storage reads and writes records. An implementation
/// promises four things, which `PurchaseStorageTesting` checks:
///
/// - A transaction is atomic: if its body throws, nothing is written.
/// - Transactions that write are serializable: what a body reads does not change until its writes are committed.
/// - A commit is durable before ``write(_:_:)`` returns.
/// - A transaction sees the records of one app only.
public protocol PurchaseStorage: Sendable {
    /// Runs `body` in a transaction that reads the records of an app.
    ///
    /// - Throws: The error of `body`, or ``StorageError`` if the database can't be read.
    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body`, each of whose reads sees what was committed before it, so that a later read can see more than an earlier one.
    ///
    /// A storage can read in this way with fewer requests to its database; by default this is ``read(_:_:)``. The storage can run `body` more
    /// than once, so `body` has no effects.
    ///
    /// - Throws: As ``read(_:_:)``.
    func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction that reads and writes the records of an app, and returns after the disk has stored its writes.
    ///
    /// The storage can run `body` more than once, so `body` has no effects except on the transaction.
    ///
    /// - Throws: The error of `body`, or ``StorageError`` if the writes could not be stored.
    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction that reads and writes the secrets of all apps, and returns after the disk has stored its writes.
    ///
    /// One such transaction runs at a time, whatever the number of processes with the database: the others begin after its end. `body` can
    /// change the file with the keys of the secrets, and can run more than once.
    ///
    /// - Throws: The error of `body`, or ``StorageError``, such as ``StorageError/locked`` if another transaction takes too long.
    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value

    /// Checks that the database can be written, by writing to it.
    ///
    /// - Throws: ``StorageError`` if it can't be written.
    func checkWritable() async throws
}

extension PurchaseStorage {
    /// Runs `body` in a transaction that reads.
    public func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await read(app, body)
    }
}

/// The records of an app in a transaction of a ``PurchaseStorage``.
///
/// The transaction is valid only during the call of the body that received it.
public protocol StorageTransaction: APIKeyRecords, CatalogRecords, ConsentRecords, ContentRecords, CustomerMergeRecords, CustomerRecords,
    EntitlementGrantRecords, ImportProgressRecords, LedgerRecords, NotificationRecords, OutgoingRequestRecords, PurchaseRecords,
    ReconciliationRecords, RefusedNotificationRecords, SecretRecords, VerifyReceiptComparisonRecords
{
    /// The app whose records the transaction reads and writes.
    var app: BundleID { get }
}
