package import PurchaseModel

extension ControlEndpoints {
    /// Lists the newest notifications, sent or pending; at most ``DeliveriesReply/limit``.
    package static let notifications = Endpoint<Empty, DeliveriesReply>(.get, "/control/v1/notifications")
    /// Reads one notification: its body, its decoded payload, and its delivery attempts.
    package static let notification = Endpoint<Empty, NotificationDetails>(.get, "/control/v1/notifications/{notification}")
    /// Sends a notification again, with the same identifier and the same bytes, regardless of its delivery state.
    package static let resend = Endpoint<Empty, NotificationDetails>(.post, "/control/v1/notifications/{notification}/resend")
    /// Simulates an event that causes a notification of a given type.
    package static let trigger = Endpoint<TriggerRequest, TriggerReply>(.post, "/control/v1/notifications/trigger")
}

/// Notifications with their delivery states.
package struct DeliveriesReply: Codable, Hashable, Sendable {
    /// One notification.
    package struct Delivery: Codable, Hashable, Sendable {
        /// The notification's identifier, the same in every delivery attempt.
        package var notificationUUID: String
        /// The notification type, such as `DID_RENEW`.
        package var type: String
        /// The subtype.
        package var subtype: String?
        /// The number of delivery attempts.
        package var attempts: Int
        /// Whether a server accepted the notification.
        package var delivered: Bool
        /// The date when the store signed the notification.
        package var signedDate: Timestamp?
        /// The account whose purchase the notification concerns.
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

    /// The maximum number of notifications in a reply, which contains the newest ones.
    package static let limit = 1_000

    /// The newest notifications, oldest first.
    package var deliveries: [Delivery]

    /// Creates a reply.
    package init(deliveries: [Delivery]) {
        self.deliveries = deliveries
    }
}

/// One notification: its body, its decoded payload, and its delivery state.
package struct NotificationDetails: Codable, Hashable, Sendable {
    /// The notification's identifier, the same in every delivery attempt.
    package var notificationUUID: String
    /// The notification type, such as `DID_RENEW`.
    package var type: String
    /// The subtype.
    package var subtype: String?
    /// The version of App Store Server Notifications: 1 or 2.
    package var version: Int
    /// The app's bundle identifier.
    package var bundleID: BundleID
    /// The environment, which determines the notification URL.
    package var environment: AppEnvironment
    /// The account whose purchase the notification concerns.
    package var account: AccountID?
    /// The signature date.
    package var signedDate: Timestamp
    /// The body of the HTTP request; nil for a notification that version 1 does not have.
    package var body: String?
    /// The decoded payload of the notification, with its nested JWS as text.
    package var payload: JSONText
    /// The decoded payload of the nested transaction.
    package var transaction: JSONText?
    /// The decoded payload of the nested renewal info.
    package var renewalInfo: JSONText?
    /// The decoded payload of the nested app transaction.
    package var appTransaction: JSONText?
    /// The delivery attempts, oldest first.
    package var sendAttempts: [SendAttempt]
    /// Whether a server accepted the notification.
    package var delivered: Bool
    /// The date of the next delivery attempt.
    package var nextAttempt: Timestamp?

    /// Creates the details without the nested payloads and the delivery attempts.
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

/// A request for a notification of a type, together with a purchase history that could have caused it.
package struct TriggerRequest: Codable, Hashable, Sendable {
    /// The notification type, such as `DID_RENEW`.
    package var type: String
    /// The subtype, such as `BILLING_RECOVERY`.
    package var subtype: String?
    /// The account that the event affects; nil for a new account.
    package var account: AccountID?
    /// The product of the event; nil for a suitable product, which the store creates when the app has none.
    package var productID: ProductID?
    /// The app of the event; nil for the store's first app.
    package var bundleID: BundleID?

    /// Creates a request.
    package init(
        type: String, subtype: String? = nil, account: AccountID? = nil, productID: ProductID? = nil, bundleID: BundleID? = nil
    ) {
        self.type = type
        self.subtype = subtype
        self.account = account
        self.productID = productID
        self.bundleID = bundleID
    }
}

/// The result of a ``TriggerRequest``.
package struct TriggerReply: Codable, Hashable, Sendable {
    /// The requested notification.
    package var notificationUUID: String
    /// The account that the event affected; nil for a notification that concerns no purchase.
    package var account: AccountID?
    /// The transaction that the notification concerns.
    package var transactionID: TransactionID?

    /// Creates a reply.
    package init(notificationUUID: String, account: AccountID? = nil, transactionID: TransactionID? = nil) {
        self.notificationUUID = notificationUUID
        self.account = account
        self.transactionID = transactionID
    }
}
