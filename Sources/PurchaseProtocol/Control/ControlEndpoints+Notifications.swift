package import PurchaseModel

extension ControlEndpoints {
    /// The newest notifications that were sent, or are still to be; ``DeliveriesReply/limit`` at most.
    package static let notifications = Endpoint<Empty, DeliveriesReply>(.get, "/control/v1/notifications")
    /// One notification: its body, what it says, and the attempts to send it.
    package static let notification = Endpoint<Empty, NotificationDetails>(.get, "/control/v1/notifications/{notification}")
    /// Sends a notification once more, with the same identifier and the same bytes, whatever became of it before.
    package static let resend = Endpoint<Empty, NotificationDetails>(.post, "/control/v1/notifications/{notification}/resend")
    /// Lets something happen that causes a notification of a kind.
    package static let trigger = Endpoint<TriggerRequest, TriggerReply>(.post, "/control/v1/notifications/trigger")
}

/// Notifications and what became of them.
package struct DeliveriesReply: Codable, Hashable, Sendable {
    /// One notification.
    package struct Delivery: Codable, Hashable, Sendable {
        /// The notification's identifier, the same in every attempt.
        package var notificationUUID: String
        /// What happened, such as `DID_RENEW`.
        package var type: String
        /// A finer distinction.
        package var subtype: String?
        /// How often it was tried.
        package var attempts: Int
        /// Whether a server took it.
        package var delivered: Bool
        /// When it was signed.
        package var signedDate: Timestamp?
        /// Whose purchase it is about.
        package var account: AccountID?

        /// Creates an element.
        package init(
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
    package static let limit = 1_000

    /// The newest notifications, oldest first.
    package var deliveries: [Delivery]

    /// Creates a reply.
    package init(deliveries: [Delivery]) {
        self.deliveries = deliveries
    }
}

/// One notification: what was sent, what it says, and what became of it.
package struct NotificationDetails: Codable, Hashable, Sendable {
    /// The notification's identifier, the same in every attempt.
    package var notificationUUID: String
    /// What happened, such as `DID_RENEW`.
    package var type: String
    /// A finer distinction.
    package var subtype: String?
    /// 1 or 2: the form in which it is sent.
    package var version: Int
    /// The app.
    package var bundleID: BundleID
    /// Whose address it goes to.
    package var environment: AppEnvironment
    /// Whose purchase it is about.
    package var account: AccountID?
    /// When it was signed.
    package var signedDate: Timestamp
    /// The body as it is sent; nil for what the first version does not tell.
    package var body: String?
    /// What the signed notification says, its inner signed parts as they are.
    package var payload: JSONText
    /// What the signed transaction inside says.
    package var transaction: JSONText?
    /// What the signed renewal information inside says.
    package var renewalInfo: JSONText?
    /// What the signed app transaction inside says.
    package var appTransaction: JSONText?
    /// The attempts to send it, oldest first.
    package var sendAttempts: [SendAttempt]
    /// Whether a server took it.
    package var delivered: Bool
    /// When it is tried next.
    package var nextAttempt: Timestamp?

    /// Creates the details without the inner parts and the attempts.
    package init(
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

/// Asks for a notification of a kind, with a history behind it that could have caused it.
package struct TriggerRequest: Codable, Hashable, Sendable {
    /// What is to have happened, such as `DID_RENEW`.
    package var type: String
    /// A finer distinction, such as `BILLING_RECOVERY`.
    package var subtype: String?
    /// To whom; nil for a new account.
    package var account: AccountID?
    /// With which product; nil for one that fits, which is made up when the app sells none.
    package var product: ProductID?
    /// In which app; nil for the store's first one.
    package var bundleID: BundleID?

    /// Creates a request.
    package init(
        type: String, subtype: String? = nil, account: AccountID? = nil, product: ProductID? = nil, bundleID: BundleID? = nil
    ) {
        self.type = type
        self.subtype = subtype
        self.account = account
        self.product = product
        self.bundleID = bundleID
    }
}

/// What was made for a ``TriggerRequest``.
package struct TriggerReply: Codable, Hashable, Sendable {
    /// The notification that was asked for.
    package var notificationUUID: String
    /// To whom it happened; nil where nobody's purchase is told of.
    package var account: AccountID?
    /// The transaction that it is about.
    package var transaction: TransactionID?

    /// Creates a reply.
    package init(notificationUUID: String, account: AccountID? = nil, transaction: TransactionID? = nil) {
        self.notificationUUID = notificationUUID
        self.account = account
        self.transaction = transaction
    }
}
