public import PurchaseModel

/// The next look-up of a purchase with the App Store Server API, which finds missing events.
public struct PurchaseLookup: Hashable, Sendable {
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The date from which a reconciliation looks the purchase up.
    public let dueAt: Timestamp
    /// The date of the App Store's last response about the purchase; nil if no response has arrived since the entitlement changed.
    public let askedAt: Timestamp?

    /// Creates a record.
    public init(purchase: TransactionID, dueAt: Timestamp, askedAt: Timestamp? = nil) {
        self.purchase = purchase
        self.dueAt = dueAt
        self.askedAt = askedAt
    }
}

/// The progress of an app's reconciliation with the App Store's notification history.
///
/// The server stores the progress after each page, so a run continues at the end of the previous run.
public struct ReconciliationProgress: Hashable, Sendable {
    /// The environment whose notification history is read.
    public let environment: AppEnvironment
    /// The date up to which the server has every notification; nil before the first run.
    public var completeUntil: Timestamp?
    /// The date when the last complete run ended; nil before the first complete run.
    public var completedAt: Timestamp?
    /// The window that a run is reading; nil between two runs.
    public var window: HistoryWindow?

    /// Creates a record.
    public init(
        environment: AppEnvironment, completeUntil: Timestamp? = nil, completedAt: Timestamp? = nil, window: HistoryWindow? = nil
    ) {
        self.environment = environment
        self.completeUntil = completeUntil
        self.completedAt = completedAt
        self.window = window
    }
}

/// A part of the notification history, which is requested page by page.
public struct HistoryWindow: Hashable, Sendable {
    /// The earliest signature date of the window's notifications.
    public let start: Timestamp
    /// The date up to which the server has every notification when the window is finished.
    public let end: Timestamp
    /// The latest signature date that the server requests: ``end``, or a later date for the last window.
    public let requestedEnd: Timestamp
    /// The App Store's token for the next page; nil for the first page.
    public var paginationToken: String?
    /// Whether every notification that the server has read from the window was verified or refused.
    public var isVerified: Bool

    /// Creates a record.
    public init(start: Timestamp, end: Timestamp, requestedEnd: Timestamp, paginationToken: String? = nil, isVerified: Bool = true) {
        self.start = start
        self.end = end
        self.requestedEnd = requestedEnd
        self.paginationToken = paginationToken
        self.isVerified = isVerified
    }
}

/// Reads and writes the progress of an app's reconciliation, and the purchases to look up, within one database transaction.
public protocol ReconciliationRecords {
    /// Returns the progress in an environment; nil before the first run.
    func reconciliation(in environment: AppEnvironment) throws -> ReconciliationProgress?

    /// Inserts or replaces the progress in an environment.
    func put(_ progress: ReconciliationProgress) throws

    /// Returns at most `limit` look-ups of a ``QueuePartition`` that are due at a date, earliest first.
    func lookups(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [PurchaseLookup]

    /// Postpones at most `limit` due look-ups of a ``QueuePartition``, and returns these look-ups with their previous dates, earliest
    /// first.
    ///
    /// A database with concurrent writers skips the look-ups that another transaction is claiming.
    func claimLookups(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [PurchaseLookup]

    /// Returns the look-up of a purchase; nil for a purchase without a look-up.
    func lookup(of purchase: TransactionID) throws -> PurchaseLookup?

    /// Inserts or replaces the look-up of a purchase.
    func put(_ lookup: PurchaseLookup) throws

    /// Removes the look-up of a purchase, if the purchase has a look-up.
    func removeLookup(of purchase: TransactionID) throws
}

extension ReconciliationRecords {
    /// Returns at most `limit` look-ups that are due at a date, earliest first.
    public func lookups(dueAt date: Timestamp, limit: Int) throws -> [PurchaseLookup] {
        let due = try (0..<QueuePartition.count).flatMap { try lookups(in: $0, dueAt: date, limit: limit) }
        return Array(due.sorted { ($0.dueAt, $0.purchase.rawValue) < ($1.dueAt, $1.purchase.rawValue) }.prefix(max(0, limit)))
    }
}

extension SQLiteSchema {
    static let reconciliationTables = """
        CREATE TABLE reconciliation (
            app TEXT NOT NULL,
            environment TEXT NOT NULL,
            complete_until INTEGER,
            completed_at INTEGER,
            window_start INTEGER,
            window_end INTEGER,
            window_requested_end INTEGER,
            window_token TEXT,
            window_is_verified INTEGER NOT NULL,
            PRIMARY KEY (app, environment)
        ) STRICT;
        CREATE TABLE purchase_lookup (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            due_at INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX purchase_lookup_by_date ON purchase_lookup (app, due_at, original_transaction_id);
        """
}

extension PostgresSchema {
    static let reconciliationTables = """
        CREATE TABLE reconciliation (
            app TEXT COLLATE "C" NOT NULL,
            environment TEXT COLLATE "C" NOT NULL,
            complete_until BIGINT,
            completed_at BIGINT,
            window_start BIGINT,
            window_end BIGINT,
            window_requested_end BIGINT,
            window_token TEXT COLLATE "C",
            window_is_verified BOOLEAN NOT NULL,
            PRIMARY KEY (app, environment)
        );

        CREATE TABLE purchase_lookup (
            app TEXT COLLATE "C" NOT NULL,
            partition BIGINT NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            due_at BIGINT NOT NULL,
            -- when the App Store last stated the state of the purchase
            asked_at BIGINT,
            PRIMARY KEY (app, partition, original_transaction_id)
        );
        CREATE INDEX purchase_lookup_by_date ON purchase_lookup (app, partition, due_at, original_transaction_id);
        """
}

extension SQLTransaction {
    private static let putReconciliation = upsert(
        "reconciliation", key: ["app", "environment"],
        ["complete_until", "completed_at", "window_start", "window_end", "window_requested_end", "window_token", "window_is_verified"])

    private static let putPurchaseLookup = upsert(
        "purchase_lookup", key: ["app", "partition", "original_transaction_id"],
        ["due_at", "asked_at"])

    package func reconciliation(in environment: AppEnvironment) throws -> ReconciliationProgress? {
        try first("SELECT * FROM reconciliation WHERE app = ?1 AND environment = ?", environment.rawValue) { row in
            func date(_ column: String) throws -> Timestamp? { (try row[column] as Int64?).map { Timestamp(milliseconds: $0) } }
            var window: HistoryWindow?
            if let start = try date("window_start"), let end = try date("window_end"), let requestedEnd = try date("window_requested_end") {
                window = HistoryWindow(
                    start: start, end: end, requestedEnd: requestedEnd, paginationToken: try row["window_token"],
                    isVerified: try row["window_is_verified"])
            }
            return ReconciliationProgress(
                environment: environment, completeUntil: try date("complete_until"), completedAt: try date("completed_at"), window: window)
        }
    }

    package func put(_ progress: ReconciliationProgress) throws {
        try execute(
            Self.putReconciliation, progress.environment.rawValue, progress.completeUntil?.milliseconds, progress.completedAt?.milliseconds,
            progress.window?.start.milliseconds, progress.window?.end.milliseconds, progress.window?.requestedEnd.milliseconds,
            progress.window?.paginationToken, progress.window?.isVerified ?? true)
    }

    package func lookups(in partition: Int, dueAt date: Timestamp, limit: Int) throws -> [PurchaseLookup] {
        try lookups(in: partition, dueAt: date, limit: limit, lock: "")
    }

    package func claimLookups(in partition: Int, dueAt date: Timestamp, until later: Timestamp, limit: Int) throws -> [PurchaseLookup] {
        let claimed = try lookups(in: partition, dueAt: date, limit: limit, lock: connection.claimLock)
        for lookup in claimed { try put(PurchaseLookup(purchase: lookup.purchase, dueAt: later, askedAt: lookup.askedAt)) }
        return claimed
    }

    private func lookups(in partition: Int, dueAt date: Timestamp, limit: Int, lock: String) throws -> [PurchaseLookup] {
        try all(
            """
            SELECT original_transaction_id, due_at, asked_at FROM purchase_lookup WHERE app = ?1 AND partition = ? AND due_at <= ?
            ORDER BY due_at, original_transaction_id LIMIT ? \(lock)
            """, partition, date.milliseconds, max(0, limit), read: lookup)
    }

    package func lookup(of purchase: TransactionID) throws -> PurchaseLookup? {
        try first(
            """
            SELECT original_transaction_id, due_at, asked_at FROM purchase_lookup
            WHERE app = ?1 AND partition = ? AND original_transaction_id = ?
            """, QueuePartition.number(of: purchase), purchase.rawValue, read: lookup)
    }

    private func lookup(_ row: any SQLRow) throws -> PurchaseLookup {
        PurchaseLookup(
            purchase: TransactionID(try row["original_transaction_id"] as String), dueAt: Timestamp(milliseconds: try row["due_at"]),
            askedAt: (try row["asked_at"] as Int64?).map { Timestamp(milliseconds: $0) })
    }

    package func put(_ lookup: PurchaseLookup) throws {
        try execute(
            Self.putPurchaseLookup, QueuePartition.number(of: lookup.purchase), lookup.purchase.rawValue, lookup.dueAt.milliseconds,
            lookup.askedAt?.milliseconds)
    }

    package func removeLookup(of purchase: TransactionID) throws {
        try execute(
            "DELETE FROM purchase_lookup WHERE app = ?1 AND partition = ? AND original_transaction_id = ?",
            QueuePartition.number(of: purchase), purchase.rawValue)
    }
}
