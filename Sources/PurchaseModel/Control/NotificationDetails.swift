/// One notification: what was sent, what it says, and what became of it.
public struct NotificationDetails: Codable, Hashable, Sendable {
    /// The notification's identifier, the same in every attempt.
    public var notificationUUID: String
    /// What happened, such as `DID_RENEW`.
    public var type: String
    /// A finer distinction.
    public var subtype: String?
    /// 1 or 2: the form in which it is sent.
    public var version: Int
    /// The app.
    public var bundleID: BundleID
    /// Whose address it goes to.
    public var environment: AppEnvironment
    /// Whose purchase it is about.
    public var account: AccountID?
    /// When it was signed.
    public var signedDate: Timestamp
    /// The body as it is sent; nil for what the first version does not tell.
    public var body: String?
    /// What the signed notification says, its inner signed parts as they are.
    public var payload: JSONText
    /// What the signed transaction inside says.
    public var transaction: JSONText?
    /// What the signed renewal information inside says.
    public var renewalInfo: JSONText?
    /// What the signed app transaction inside says.
    public var appTransaction: JSONText?
    /// The attempts to send it, oldest first.
    public var sendAttempts: [SendAttempt]
    /// Whether a server took it.
    public var delivered: Bool
    /// When it is tried next.
    public var nextAttempt: Timestamp?

    /// Creates the details without the inner parts and the attempts.
    public init(
        notificationUUID: String, type: String, subtype: String?, version: Int, bundleID: BundleID, environment: AppEnvironment,
        signedDate: Timestamp, payload: JSONText
    ) {
        self.notificationUUID = notificationUUID
        self.type = type
        self.subtype = subtype
        self.version = version
        self.bundleID = bundleID
        self.environment = environment
        self.signedDate = signedDate
        self.payload = payload
        sendAttempts = []
        delivered = false
    }
}
