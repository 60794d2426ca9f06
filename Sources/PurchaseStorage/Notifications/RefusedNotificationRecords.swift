public import Foundation
public import PurchaseModel

/// A refused body of a request to the notification URL, stored as a sample for the operator.
public struct RefusedNotification: Codable, Hashable, Sendable {
    /// The maximum number of stored samples of an app.
    public static let limit = 100
    /// The maximum number of stored bytes of a body.
    public static let headLimit = 4_096

    /// The date of the request.
    public let date: Timestamp
    /// The error code of the response, such as `notification.refused`.
    public let code: String
    /// The error message of the response.
    public let message: String
    /// The size of the body in bytes.
    public let size: Int
    /// The beginning of the body, without the shared secret.
    public let head: Data

    /// Creates a record.
    public init(date: Timestamp, code: String, message: String, size: Int, head: Data) {
        self.date = date
        self.code = code
        self.message = message
        self.size = size
        self.head = head
    }

    /// The maximum length in bytes of a secret to search for, because longer secrets make the search slower.
    private static let secretLimit = 256

    /// Creates a record with the beginning of a body, in which secrets are replaced with asterisks.
    ///
    /// A secret may come from the body, with any length. If a secret is longer than 256 bytes, the record contains no part of the body.
    package init(_ body: Data, removing secrets: [String], date: Timestamp, code: String, message: String) {
        var head = Data()
        if secrets.allSatisfy({ $0.utf8.count <= Self.secretLimit }) {
            // Read beyond the limit, because a secret can begin before the limit and end after the limit.
            head = Data(body.prefix(Self.headLimit + Self.secretLimit))
            for secret in secrets where !secret.isEmpty { head = head.replacing(Data(secret.utf8), with: Data("***".utf8)) }
        }
        self.init(date: date, code: code, message: message, size: body.count, head: Data(head.prefix(Self.headLimit)))
    }
}

/// Reads and writes an app's refused notifications within one database transaction.
public protocol RefusedNotificationRecords {
    /// Stores a sample, and removes all but the newest ``RefusedNotification/limit`` samples.
    func insert(_ refused: RefusedNotification) throws

    /// Returns at most `limit` samples, newest first.
    func refusedNotifications(limit: Int) throws -> [RefusedNotification]
}

extension SQLiteSchema {
    /// The table of refused notifications, which keeps the newest ``RefusedNotification/limit`` rows of each app; a further row replaces
    /// the oldest row.
    static let refusedNotificationTables = """
        CREATE TABLE refused_notification (
            app TEXT NOT NULL,
            slot INTEGER NOT NULL,
            number INTEGER NOT NULL,
            date INTEGER NOT NULL,
            code TEXT NOT NULL,
            message TEXT NOT NULL,
            size INTEGER NOT NULL,
            head BLOB NOT NULL,
            PRIMARY KEY (app, slot)
        ) STRICT;
        """
}

extension PostgresSchema {
    /// The table of refused notifications, which keeps the newest ``RefusedNotification/limit`` rows of each app; a further row replaces
    /// the oldest row.
    static let refusedNotificationTables = """
        CREATE TABLE refused_notification (
            app TEXT COLLATE "C" NOT NULL,
            slot BIGINT NOT NULL,
            number BIGINT NOT NULL,
            date BIGINT NOT NULL,
            code TEXT COLLATE "C" NOT NULL,
            message TEXT COLLATE "C" NOT NULL,
            size BIGINT NOT NULL,
            head BYTEA NOT NULL,
            PRIMARY KEY (app, slot)
        );
        """
}

extension SQLTransaction {
    private static let putRefusedNotification = upsert(
        "refused_notification", key: ["app", "slot"],
        ["number", "date", "code", "message", "size", "head"])

    package func insert(_ refused: RefusedNotification) throws {
        let last: Int64 =
            try first("SELECT coalesce(max(number), 0) AS number FROM refused_notification WHERE app = ?1") { try $0["number"] } ?? 0
        // Prevent an overflow, because a damaged row may have the greatest 64-bit number.
        let number = min(last, .max - 1) + 1
        try execute(
            Self.putRefusedNotification, number % Int64(RefusedNotification.limit), number, refused.date.milliseconds, refused.code,
            refused.message, refused.size, refused.head)
    }

    package func refusedNotifications(limit: Int) throws -> [RefusedNotification] {
        try all(
            "SELECT date, code, message, size, head FROM refused_notification WHERE app = ?1 ORDER BY number DESC LIMIT ?", max(0, limit)
        ) { row in
            RefusedNotification(
                date: Timestamp(milliseconds: try row["date"]), code: try row["code"], message: try row["message"], size: try row["size"],
                head: try row["head"])
        }
    }
}
