public import PurchaseModel

/// A field with different values in the `verifyReceipt` responses of the server and of the App Store.
public struct VerifyReceiptDifference: Codable, Hashable, Sendable {
    /// The path of the field, such as `latest_receipt_info[2000000001].expires_date_ms`; a transaction identifier selects an element.
    public let path: String
    /// The server's value as text, or a digest of a personal or long value; nil if the server's response lacks the field.
    public let server: String?
    /// The App Store's value, in the form of ``server``; nil if the App Store's response lacks the field.
    public let appStore: String?

    /// Creates a difference.
    public init(path: String, server: String?, appStore: String?) {
        self.path = path
        self.server = server
        self.appStore = appStore
    }
}

/// The differences between the responses of the server and of the App Store to one `verifyReceipt` request.
public struct VerifyReceiptComparison: Codable, Hashable, Sendable {
    /// The maximum number of stored comparisons of an app.
    public static let limit = 100

    /// The date of the request.
    public let date: Timestamp
    /// The environment of the request, `Production` or `Sandbox`.
    public let environment: String
    /// The SHA-256 of the receipt, in hexadecimal.
    public let receipt: String
    /// The number of differences.
    public let count: Int
    /// The first differences, at most 50.
    public let differences: [VerifyReceiptDifference]

    /// Creates a record.
    public init(date: Timestamp, environment: String, receipt: String, count: Int, differences: [VerifyReceiptDifference]) {
        self.date = date
        self.environment = environment
        self.receipt = receipt
        self.count = count
        self.differences = differences
    }
}

/// Reads and writes the comparisons of `verifyReceipt` responses with differences, within one database transaction.
public protocol VerifyReceiptComparisonRecords {
    /// Stores a comparison, and removes all but the newest ``VerifyReceiptComparison/limit`` comparisons.
    func insert(_ comparison: VerifyReceiptComparison) throws

    /// Returns at most `limit` comparisons, newest first.
    func verifyReceiptComparisons(limit: Int) throws -> [VerifyReceiptComparison]
}

extension SQLiteSchema {
    /// The table of comparisons, which keeps the newest ``VerifyReceiptComparison/limit`` rows of each app; a further row replaces the
    /// oldest row.
    static let verifyReceiptTables = """
        CREATE TABLE verify_receipt_comparison (
            app TEXT NOT NULL,
            slot INTEGER NOT NULL,
            number INTEGER NOT NULL,
            comparison TEXT NOT NULL,
            PRIMARY KEY (app, slot)
        ) STRICT;
        """
}

extension PostgresSchema {
    /// The table of comparisons, which keeps the newest ``VerifyReceiptComparison/limit`` rows of each app; a further row replaces the
    /// oldest row.
    static let verifyReceiptTables = """
        CREATE TABLE verify_receipt_comparison (
            app TEXT COLLATE "C" NOT NULL,
            slot BIGINT NOT NULL,
            number BIGINT NOT NULL,
            comparison TEXT COLLATE "C" NOT NULL,
            PRIMARY KEY (app, slot)
        );
        """
}

extension SQLTransaction {
    private static let putVerifyReceiptComparison = upsert(
        "verify_receipt_comparison", key: ["app", "slot"], ["number", "comparison"])

    package func insert(_ comparison: VerifyReceiptComparison) throws {
        let last: Int64 =
            try first("SELECT coalesce(max(number), 0) AS number FROM verify_receipt_comparison WHERE app = ?1") { try $0["number"] } ?? 0
        // Prevent an overflow, because a damaged row may have the greatest 64-bit number.
        let number = min(last, .max - 1) + 1
        try execute(
            Self.putVerifyReceiptComparison, number % Int64(VerifyReceiptComparison.limit), number, try json(comparison))
    }

    package func verifyReceiptComparisons(limit: Int) throws -> [VerifyReceiptComparison] {
        try all(
            "SELECT comparison FROM verify_receipt_comparison WHERE app = ?1 ORDER BY number DESC LIMIT ?", max(0, limit)
        ) { try record(try $0["comparison"]) }
    }
}
