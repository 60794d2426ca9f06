/// Notifications and what became of them.
public struct DeliveriesReply: Codable, Hashable, Sendable {
    /// One notification.
    public struct Delivery: Codable, Hashable, Sendable {
        /// The notification's identifier, the same in every attempt.
        public var notificationUUID: String
        /// What happened, such as `DID_RENEW`.
        public var type: String
        /// A finer distinction.
        public var subtype: String?
        /// How often it was tried.
        public var attempts: Int
        /// Whether a server took it.
        public var delivered: Bool
        /// When it was signed.
        public var signedDate: Timestamp?
        /// Whose purchase it is about.
        public var account: AccountID?

        /// Creates an element.
        public init(
            notificationUUID: String, type: String, subtype: String?, attempts: Int, delivered: Bool, signedDate: Timestamp? = nil,
            account: AccountID? = nil
        ) {
            self.notificationUUID = notificationUUID
            self.type = type
            self.subtype = subtype
            self.attempts = attempts
            self.delivered = delivered
            self.signedDate = signedDate
            self.account = account
        }
    }

    /// How many notifications a reply tells of at most, the newest ones.
    public static let limit = 1_000

    /// The newest notifications, oldest first.
    public var deliveries: [Delivery]

    /// Creates a reply.
    public init(deliveries: [Delivery]) {
        self.deliveries = deliveries
    }
}
