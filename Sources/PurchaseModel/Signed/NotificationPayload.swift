/// What a server notification says (Apple's `responseBodyV2DecodedPayload`).
///
/// The transaction and the renewal information inside are signed themselves and must be verified on their own.
public struct NotificationPayload: Codable, Hashable, Sendable {
    /// What happened, such as `DID_RENEW`.
    public var notificationType: String
    /// A finer distinction, such as `BILLING_RECOVERY`.
    public var subtype: String?
    /// The same for each delivery of the same notification; drops duplicates.
    public var notificationUUID: String
    /// The version of this format, `2.0`.
    public var version: String
    /// When it was signed.
    public var signedDate: Timestamp
    /// What it is about; nil for summaries and other kinds that are not about one purchase.
    public var data: NotificationData?

    /// Creates a notification.
    public init(
        notificationType: String,
        subtype: String?,
        notificationUUID: String,
        signedDate: Timestamp,
        data: NotificationData?
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.version = "2.0"
        self.signedDate = signedDate
        self.data = data
    }
}
