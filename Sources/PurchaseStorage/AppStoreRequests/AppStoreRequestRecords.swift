public import PurchaseModel

/// A request to the App Store Server API to finish a transaction or to send consumption information.
///
/// The server stores the request until the App Store accepts or refuses the request, or the request expires.
public struct AppStoreRequest: Hashable, Sendable {
    /// An endpoint of the App Store Server API.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// Send Consumption Information, the answer to the notification `CONSUMPTION_REQUEST`.
        case consumption
        /// Finish Transaction, after the credits of a consumable were recorded.
        case finish
    }

    /// The endpoint of the request.
    public let kind: Kind
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The transaction that the request concerns.
    public let transactionID: TransactionID
    /// The UUID of the answered notification, or the identifier of the transaction to finish; unique for the purchase and the endpoint.
    public let key: String
    /// The date after which the server discards the request.
    public let expiresAt: Timestamp
    /// The date of the next attempt.
    public var dueAt: Timestamp
    /// The number of attempts so far.
    public var attempts: Int

    /// Creates a record.
    public init(
        _ kind: Kind, purchase: TransactionID, transactionID: TransactionID, key: String, expiresAt: Timestamp, dueAt: Timestamp,
        attempts: Int = 0
    ) {
        self.kind = kind
        self.purchase = purchase
        self.transactionID = transactionID
        self.key = key
        self.expiresAt = expiresAt
        self.dueAt = dueAt
        self.attempts = attempts
    }
}

/// Reads and writes an app's pending requests to the App Store Server API within one database transaction.
public protocol AppStoreRequestRecords {
    /// Inserts or replaces a request.
    func put(_ request: AppStoreRequest) throws

    /// Returns at most `limit` requests of a ``QueuePartition`` that are due at a date, earliest first.
    func requests(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [AppStoreRequest]

    /// Postpones at most `limit` due requests of a ``QueuePartition``, and returns these requests with their previous dates, earliest
    /// first.
    ///
    /// A database with concurrent writers skips the requests that another transaction is claiming.
    func claimRequests(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [AppStoreRequest]

    /// Removes a request.
    func remove(_ request: AppStoreRequest) throws
}

extension AppStoreRequestRecords {
    /// Returns at most `limit` requests that are due at a date, earliest first.
    public func requests(dueAt date: Timestamp, limit: Int) throws -> [AppStoreRequest] {
        let due = try (0..<QueuePartition.count).flatMap { try requests(in: $0, dueAt: date, limit: limit) }
        return Array(due.sorted { $0.dueAt < $1.dueAt }.prefix(max(0, limit)))
    }
}

extension SQLiteSchema {
    static let appStoreRequestTables = """
        CREATE TABLE outgoing_request (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, kind, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outgoing_request_by_date ON outgoing_request (app, due_at);
        """
}

extension PostgresSchema {
    static let appStoreRequestTables = """
        CREATE TABLE outgoing_request (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            expires_at BIGINT NOT NULL,
            due_at BIGINT NOT NULL,
            attempts BIGINT NOT NULL,
            PRIMARY KEY (app, partition, original_transaction_id, kind, key)
        );
        CREATE INDEX outgoing_request_by_date ON outgoing_request (app, partition, due_at, original_transaction_id, kind, key);
        """
}

extension SQLTransaction {
    private static let putAppStoreRequest = upsert(
        "outgoing_request", key: ["app", "partition", "original_transaction_id", "kind", "key"],
        ["transaction_id", "expires_at", "due_at", "attempts"])

    package func put(_ request: AppStoreRequest) throws {
        try execute(
            Self.putAppStoreRequest, QueuePartition.number(of: request.purchase), request.purchase.rawValue, request.kind.rawValue,
            request.key,
            request.transactionID.rawValue,
            request.expiresAt.milliseconds, request.dueAt.milliseconds, request.attempts)
    }

    package func requests(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [AppStoreRequest] {
        try requests(in: partition, dueAt: date, limit: limit, lock: "")
    }

    package func claimRequests(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [AppStoreRequest] {
        let claimed = try requests(in: partition, dueAt: date, limit: limit, lock: connection.claimLock)
        for var request in claimed {
            request.dueAt = later
            try put(request)
        }
        return claimed
    }

    private func requests(in partition: Int, dueAt date: Timestamp, limit: Int, lock: String) throws -> [AppStoreRequest] {
        try all(
            """
            SELECT * FROM outgoing_request WHERE app = ?1 AND partition = ? AND due_at <= ?
            ORDER BY due_at, original_transaction_id, kind, key LIMIT ? \(lock)
            """, partition, date.milliseconds, max(0, limit)
        ) { row -> AppStoreRequest? in
            guard let kind = AppStoreRequest.Kind(rawValue: try row["kind"]) else { return nil }
            return AppStoreRequest(
                kind, purchase: TransactionID(try row["original_transaction_id"] as String),
                transactionID: TransactionID(try row["transaction_id"] as String), key: try row["key"],
                expiresAt: Timestamp(milliseconds: try row["expires_at"]), dueAt: Timestamp(milliseconds: try row["due_at"]),
                attempts: try row["attempts"])
        }.compactMap { $0 }
    }

    package func remove(_ request: AppStoreRequest) throws {
        try execute(
            """
            DELETE FROM outgoing_request
            WHERE app = ?1 AND partition = ? AND original_transaction_id = ? AND kind = ? AND key = ?
            """, QueuePartition.number(of: request.purchase), request.purchase.rawValue, request.kind.rawValue, request.key)
    }
}
