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
    /// Whether this version of the server supports the type, the subtype and the subject of the notification.
    public let isUnderstood: Bool

    /// Creates a record from a verified notification.
    public init(_ notification: VerifiedNotification, receivedAt: Timestamp) {
        let payload = notification.notification.payload
        uuid = payload.notificationUUID
        kind = [payload.notificationType, payload.subtype].compactMap { $0 }.joined(separator: " ")
        signedDate = payload.signedDate
        self.receivedAt = receivedAt
        signedNotification = notification.notification.original
        hasTransaction = notification.transaction != nil
        isUnderstood = payload.isUnderstood
    }

    /// Creates a record from the columns of a row.
    public init(
        uuid: String, kind: String, signedDate: Timestamp, receivedAt: Timestamp, signedNotification: SignedNotification?,
        hasTransaction: Bool, isUnderstood: Bool = true
    ) {
        self.uuid = uuid
        self.kind = kind
        self.signedDate = signedDate
        self.receivedAt = receivedAt
        self.signedNotification = signedNotification
        self.hasTransaction = hasTransaction
        self.isUnderstood = isUnderstood
    }
}

/// The notifications of an app, in a transaction of a storage.
public protocol NotificationRecords {
    /// Stores a notification, and returns whether its UUID is new; a stored notification does not change.
    func insert(_ notification: ReceivedNotification) throws -> Bool

    /// Returns whether a notification with a UUID is stored.
    func isStored(notification uuid: String) throws -> Bool

    /// Returns at most `limit` notifications, newest first.
    func latestNotifications(limit: Int) throws -> [ReceivedNotification]

    /// Returns at most `limit` notifications that the server does not understand, newest first.
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

    /// The column and the index of notifications that the server does not understand.
    static let unknownNotificationTables = """
        ALTER TABLE notification ADD COLUMN is_understood INTEGER NOT NULL DEFAULT 1;
        CREATE INDEX notification_unknown ON notification (app, signed_date, uuid) WHERE NOT is_understood;
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

    /// The column and the index of notifications that the server does not understand.
    static let unknownNotificationTables = """
        ALTER TABLE notification ADD COLUMN is_understood BOOLEAN NOT NULL DEFAULT TRUE;
        CREATE INDEX notification_unknown ON notification (app, signed_date, uuid) WHERE NOT is_understood;
        """
}

extension SQLTransaction {
    package func insert(_ notification: ReceivedNotification) throws -> Bool {
        try changes(
            """
            INSERT INTO notification (app, uuid, kind, signed_date, received_at, has_transaction, is_understood, signed_notification)
            VALUES (?1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, notification.uuid, notification.kind, notification.signedDate.milliseconds, notification.receivedAt.milliseconds,
            notification.hasTransaction, notification.isUnderstood, try notification.signedNotification.map { try stored($0.compact) }) > 0
    }

    package func isStored(notification uuid: String) throws -> Bool {
        try first("SELECT uuid FROM notification WHERE app = ?1 AND uuid = ?", uuid) { _ in true } ?? false
    }

    package func latestNotifications(limit: Int) throws -> [ReceivedNotification] {
        try notifications(limit: limit)
    }

    package func unknownNotifications(limit: Int) throws -> [ReceivedNotification] {
        try notifications("AND NOT is_understood", limit: limit)
    }

    private func notifications(_ condition: String = "", limit: Int) throws -> [ReceivedNotification] {
        try all(
            """
            SELECT uuid, kind, signed_date, received_at, has_transaction, is_understood, signed_notification FROM notification
            WHERE app = ?1 \(condition) ORDER BY signed_date DESC, uuid DESC LIMIT ?
            """, max(0, limit)
        ) { row in
            ReceivedNotification(
                uuid: try row["uuid"], kind: try row["kind"], signedDate: Timestamp(milliseconds: try row["signed_date"]),
                receivedAt: Timestamp(milliseconds: try row["received_at"]),
                signedNotification: try (try row["signed_notification"] as String?).map { SignedNotification(try compact($0)) },
                hasTransaction: try row["has_transaction"], isUnderstood: try row["is_understood"])
        }
    }
}
