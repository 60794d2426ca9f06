public import PurchaseModel
public import PurchaseProof

/// A stored notification.
public struct ReceivedNotification: Hashable, Sendable {
    /// The `notificationUUID`; for a version 1 notification, `v1:` and a SHA-256 digest of the body, or of the receipt's signed content if
    /// the app has no shared secret.
    public let uuid: String
    /// The type and the subtype, separated by a space; for a version 1 notification, `V1` and the type.
    public let kind: String
    /// The date when the App Store signed the notification; for a version 1 notification, the date when the server received it.
    public let signedDate: Timestamp
    /// The date when the server received the notification.
    public let receivedAt: Timestamp
    /// The notification with a verified signature; nil for a version 1 notification, which is unsigned.
    public let signedNotification: SignedNotification?
    /// Whether the notification contains a transaction that the server recorded.
    public let hasTransaction: Bool

    /// Creates a record from a verified notification.
    public init(_ notification: VerifiedNotification, receivedAt: Timestamp) {
        let payload = notification.notification.payload
        uuid = payload.notificationUUID
        kind = [payload.notificationType, payload.subtype].compactMap { $0 }.joined(separator: " ")
        signedDate = payload.signedDate
        self.receivedAt = receivedAt
        signedNotification = notification.notification.original
        hasTransaction = notification.transaction != nil
    }

    /// Creates a record from the columns of a row.
    public init(
        uuid: String, kind: String, signedDate: Timestamp, receivedAt: Timestamp, signedNotification: SignedNotification?,
        hasTransaction: Bool
    ) {
        self.uuid = uuid
        self.kind = kind
        self.signedDate = signedDate
        self.receivedAt = receivedAt
        self.signedNotification = signedNotification
        self.hasTransaction = hasTransaction
    }
}

/// Reads and writes an app's notifications within one database transaction.
public protocol NotificationRecords {
    /// Stores a notification, and returns whether its UUID is new; a stored notification does not change.
    func insert(_ notification: ReceivedNotification) throws -> Bool

    /// Returns whether a notification with a UUID is stored.
    func isStored(notification uuid: String) throws -> Bool

    /// Returns the stored notification with a UUID; nil if there is none.
    func notification(_ uuid: String) throws -> ReceivedNotification?

    /// Returns at most `limit` notifications that were signed after another one, oldest first.
    ///
    /// - Parameters:
    ///   - date: The signature date of the other notification.
    ///   - uuid: The UUID of the other notification; empty for all notifications that were signed at the date or later.
    ///   - limit: The maximum number of notifications.
    func notifications(signedAfter date: Timestamp, _ uuid: String, limit: Int) throws -> [ReceivedNotification]

    /// Returns at most `limit` notifications, newest first.
    func latestNotifications(limit: Int) throws -> [ReceivedNotification]

    /// Lists a stored notification as one that this version of the server does not understand.
    func insert(unknown notification: ReceivedNotification) throws

    /// Removes a notification from the list of those that the server does not understand; the notification remains stored.
    func removeUnknown(notification uuid: String) throws

    /// Returns at most `limit` listed notifications that the server does not understand, newest first.
    ///
    /// The cost does not depend on the number of other notifications.
    func unknownNotifications(limit: Int) throws -> [ReceivedNotification]
}

extension SQLiteSchema {
    static let notificationTables = """
        CREATE TABLE notification (
            app TEXT NOT NULL,
            uuid TEXT NOT NULL,
            kind TEXT NOT NULL,
            signed_date INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            has_transaction INTEGER NOT NULL,
            -- a StoredJWS; NULL for a notification of version 1
            signed_notification TEXT,
            PRIMARY KEY (app, uuid)
        ) STRICT;
        CREATE INDEX notification_by_date ON notification (app, signed_date, uuid);
        """

    /// The table of notifications that the server does not understand.
    static let unknownNotificationTables = """
        CREATE TABLE unknown_notification (
            app TEXT NOT NULL,
            uuid TEXT NOT NULL,
            signed_date INTEGER NOT NULL,
            PRIMARY KEY (app, uuid)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX unknown_notification_by_date ON unknown_notification (app, signed_date, uuid);
        """
}

extension PostgresSchema {
    static let notificationTables = """
        CREATE TABLE notification (
            app TEXT COLLATE "C" NOT NULL,
            uuid TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            signed_date BIGINT NOT NULL,
            received_at BIGINT NOT NULL,
            has_transaction BOOLEAN NOT NULL,
            -- a StoredJWS; NULL for a notification of version 1
            signed_notification TEXT COLLATE "C",
            PRIMARY KEY (app, uuid)
        );
        CREATE INDEX notification_by_date ON notification (app, signed_date, uuid);
        """

    /// The table of notifications that the server does not understand.
    static let unknownNotificationTables = """
        CREATE TABLE unknown_notification (
            app TEXT COLLATE "C" NOT NULL,
            uuid TEXT COLLATE "C" NOT NULL,
            signed_date BIGINT NOT NULL,
            PRIMARY KEY (app, uuid)
        );
        CREATE INDEX unknown_notification_by_date ON unknown_notification (app, signed_date, uuid);
        """
}

extension SQLTransaction {
    package func insert(_ notification: ReceivedNotification) throws -> Bool {
        try changes(
            """
            INSERT INTO notification (app, uuid, kind, signed_date, received_at, has_transaction, signed_notification)
            VALUES (?1, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, notification.uuid, notification.kind, notification.signedDate.milliseconds, notification.receivedAt.milliseconds,
            notification.hasTransaction, try notification.signedNotification.map { try stored($0.compact) }) > 0
    }

    package func isStored(notification uuid: String) throws -> Bool {
        try first("SELECT uuid FROM notification WHERE app = ?1 AND uuid = ?", uuid) { _ in true } ?? false
    }

    private static let columns = "uuid, kind, signed_date, received_at, has_transaction, signed_notification"

    package func notification(_ uuid: String) throws -> ReceivedNotification? {
        try first("SELECT \(Self.columns) FROM notification WHERE app = ?1 AND uuid = ?", uuid, read: notification)
    }

    package func notifications(signedAfter date: Timestamp, _ uuid: String, limit: Int) throws -> [ReceivedNotification] {
        let sql = """
            SELECT \(Self.columns) FROM notification WHERE app = ?1 AND (signed_date > ?2 OR signed_date = ?2 AND uuid > ?3)
            ORDER BY signed_date, uuid LIMIT ?4
            """
        return try all(sql, date.milliseconds, uuid, max(0, limit), read: notification)
    }

    package func latestNotifications(limit: Int) throws -> [ReceivedNotification] {
        let sql = "SELECT \(Self.columns) FROM notification WHERE app = ?1 ORDER BY signed_date DESC, uuid DESC LIMIT ?"
        return try all(sql, max(0, limit), read: notification)
    }

    package func insert(unknown notification: ReceivedNotification) throws {
        try execute(
            "INSERT INTO unknown_notification (app, uuid, signed_date) VALUES (?1, ?, ?) ON CONFLICT DO NOTHING", notification.uuid,
            notification.signedDate.milliseconds)
    }

    package func removeUnknown(notification uuid: String) throws {
        try execute("DELETE FROM unknown_notification WHERE app = ?1 AND uuid = ?", uuid)
    }

    package func unknownNotifications(limit: Int) throws -> [ReceivedNotification] {
        let sql = "SELECT uuid FROM unknown_notification WHERE app = ?1 ORDER BY signed_date DESC, uuid DESC LIMIT ?"
        let identifiers = try all(sql, max(0, limit)) { try $0["uuid"] as String }
        return try identifiers.compactMap { try notification($0) }
    }

    private func notification(_ row: any SQLRow) throws -> ReceivedNotification {
        ReceivedNotification(
            uuid: try row["uuid"], kind: try row["kind"], signedDate: Timestamp(milliseconds: try row["signed_date"]),
            receivedAt: Timestamp(milliseconds: try row["received_at"]),
            signedNotification: try (try row["signed_notification"] as String?).map { SignedNotification(try compact($0)) },
            hasTransaction: try row["has_transaction"])
    }
}
