public import PurchaseModel

/// The database of a purchase server.
///
/// The server computes entitlements and balances; a storage reads and writes the records. An implementation makes four guarantees, which
/// `PurchaseStorageTesting` checks:
///
/// - A transaction is atomic: if its body throws, nothing is written.
/// - Transactions that write are serializable: the records that a body reads do not change until its writes are committed.
/// - A commit is durable before ``write(_:_:)`` returns.
/// - A transaction reads and writes the records of one app only.
public protocol PurchaseStorage: Sendable {
    /// Runs `body` in a transaction that reads the records of an app.
    ///
    /// - Throws: The error of `body`, or ``StorageError`` if the database can't be read.
    func read<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` without a snapshot: each read returns committed records, and a later read may return newer records than an earlier read.
    ///
    /// A storage may send fewer requests to its database than in ``read(_:_:)``; the default implementation calls ``read(_:_:)``. The
    /// storage can run `body` more than once, so `body` must have no effects.
    ///
    /// - Throws: The error of `body`, or ``StorageError`` if the database can't be read.
    func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction that reads and writes the records of an app, and returns after the disk has stored the writes.
    ///
    /// The storage can run `body` more than once, so `body` must have no effects except on the transaction.
    ///
    /// - Throws: The error of `body`, or ``StorageError`` if the writes could not be stored.
    func write<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value

    /// Runs `body` in a transaction that reads and writes the secrets of all apps, and returns after the disk has stored the writes.
    ///
    /// One transaction on secrets runs at a time, in all processes that share the database. `body` is allowed to change the key file of the
    /// secrets. The storage can run `body` more than once, so a repeated change must have no further effect.
    ///
    /// - Throws: The error of `body`, or ``StorageError``, such as ``StorageError/locked`` if another transaction takes too long.
    func writeSecrets<Value: Sendable>(_ body: @escaping @Sendable (any SharedSecretRecords) throws -> Value) async throws -> Value

    /// Checks that the database accepts writes, by a test write.
    ///
    /// - Throws: ``StorageError`` if the write fails.
    func checkWritable() async throws

    /// Gives positions to at most `limit` committed events of an app's feed, and returns their number.
    ///
    /// A position is given after the positions of all events that are visible to readers, so that a reader with a cursor misses no event.
    /// The default implementation returns 0, for a storage that gives the positions when it inserts the events: a storage that runs one
    /// write at a time.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - limit: The maximum number of events.
    /// - Throws: ``StorageError`` if the writes could not be stored.
    func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int

    /// The tables that maintenance commands read and repair row by row; nil for a storage that can't be rebuilt.
    var maintenance: StorageMaintenance? { get }
}

extension PurchaseStorage {
    /// Runs `body` in a read transaction.
    public func readCommitted<Value: Sendable>(
        _ app: BundleID, _ body: @escaping @Sendable (any StorageTransaction) throws -> Value
    ) async throws -> Value {
        try await read(app, body)
    }

    /// The default, 0, for a storage that gives the positions when it inserts the events.
    public func publishFeedEvents(_ app: BundleID, limit: Int) async throws -> Int { 0 }

    /// The default, nil, for a storage that can't be rebuilt.
    public var maintenance: StorageMaintenance? { nil }
}

/// Reads and writes an app's records within one transaction of a ``PurchaseStorage``.
///
/// The transaction is valid only during the call of the body that received it.
public protocol StorageTransaction: APIKeyRecords, CatalogRecords, ConsentRecords, ContentRecords, CustomerMergeRecords, CustomerRecords,
    EntitlementGrantRecords, FeedRecords, ImportProgressRecords, LedgerRecords, NotificationRecords, AppStoreRequestRecords,
    PurchaseRecords,
    ReconciliationRecords, RefusedNotificationRecords, SecretRecords, TeamRecords, VerifyReceiptComparisonRecords, WebhookRecords
{
    /// The app whose records the transaction reads and writes.
    var app: BundleID { get }
}
