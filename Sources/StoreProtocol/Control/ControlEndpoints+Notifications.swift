public import Foundation
package import FoundationExtras
public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the newest notifications of a local store, sent or pending; at most ``DeliveriesReply/limit``.
    package static let notifications = Endpoint<Empty, DeliveriesReply>(.get, "/control/v1/notifications")
    /// Reads one notification: its body, its decoded payload, and its delivery attempts.
    package static let notification = Endpoint<Empty, NotificationDetails>(.get, "/control/v1/notifications/{notification}")
    /// Sends a notification again with the same identifier and the same bytes, even if it was delivered before.
    package static let resend = Endpoint<Empty, NotificationDetails>(.post, "/control/v1/notifications/{notification}/resend")
    /// Simulates an event of a purchase that causes a notification of a given type.
    package static let trigger = Endpoint<TriggerRequest, TriggerReply>(.post, "/control/v1/notifications/trigger")
}

/// A notification with its delivery state.
public struct NotificationDelivery: Codable, Hashable, Sendable {
    /// The `notificationUUID`, which is the same in every delivery attempt.
    public var notificationUUID: String
    /// The notification type, such as `DID_RENEW`.
    public var type: String
    /// The subtype of the notification; nil for none.
    public var subtype: String?
    /// The number of attempts to deliver the notification.
    public var attempts: Int
    /// Whether the developer's server accepted the notification.
    public var delivered: Bool
    /// Whether the app has a URL for notifications of this environment; nil in the reply of an earlier version.
    public var hasAddress: Bool?
    /// The date when the store signed the notification.
    public var signedDate: Timestamp?
    /// The account whose purchase the notification concerns; nil for none.
    public var account: AccountID?
    /// The last delivery attempt; nil if there was none, and in the reply of an earlier version.
    public var lastAttempt: DeliveryAttempt?

    /// Creates a notification with its delivery state, without the last attempt.
    package init(
        notificationUUID: String, type: String, subtype: String?, attempts: Int, delivered: Bool, hasAddress: Bool? = nil,
        signedDate: Timestamp? = nil, account: AccountID? = nil
    ) {
        self.notificationUUID = notificationUUID
        self.type = type
        self.subtype = subtype
        self.attempts = attempts
        self.delivered = delivered
        self.hasAddress = hasAddress
        self.signedDate = signedDate
        self.account = account
    }
}

/// Notifications of a local store, with their delivery states.
package struct DeliveriesReply: Codable, Hashable, Sendable {
    /// The maximum number of notifications in a reply.
    package static let limit = 1_000

    /// The newest notifications, oldest first.
    package var deliveries: [NotificationDelivery]

    /// Creates a reply.
    package init(deliveries: [NotificationDelivery]) {
        self.deliveries = deliveries
    }
}

/// A notification of a local store, with its body, its decoded payload and its delivery state.
public struct NotificationDetails: Codable, Hashable, Sendable {
    /// The `notificationUUID`, which is the same in every delivery attempt.
    public var notificationUUID: String
    /// The notification type, such as `DID_RENEW`.
    public var type: String
    /// The subtype of the notification; nil for none.
    public var subtype: String?
    /// The version of App Store Server Notifications: 1 or 2.
    public var version: Int
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The environment of the purchase, which determines the notification URL.
    public var environment: AppEnvironment
    /// The account whose purchase the notification concerns; nil for none.
    public var account: AccountID?
    /// The date when the store signed the notification.
    public var signedDate: Timestamp
    /// The body of the HTTP request to the developer's server.
    ///
    /// The body is nil if App Store Server Notifications version 1 has no such notification type.
    public var body: String?
    /// The JSON value of ``payloadJSON``.
    package var payload: JSONText
    /// The JSON value of ``transactionJSON``.
    package var transaction: JSONText?
    /// The JSON value of ``renewalInfoJSON``.
    package var renewalInfo: JSONText?
    /// The JSON value of ``appTransactionJSON``.
    package var appTransaction: JSONText?
    /// The delivery attempts, oldest first.
    public var sendAttempts: [DeliveryAttempt]
    /// Whether the developer's server accepted the notification.
    public var delivered: Bool
    /// The date of the next delivery attempt; nil if none is scheduled.
    public var nextAttempt: Timestamp?

    /// The decoded payload of the notification as JSON, in which the nested JWS are not decoded.
    public var payloadJSON: Data { payload.data }
    /// The decoded payload of the nested transaction as JSON; nil for none.
    public var transactionJSON: Data? { transaction?.data }
    /// The decoded payload of the nested renewal info as JSON; nil for none.
    public var renewalInfoJSON: Data? { renewalInfo?.data }
    /// The decoded payload of the nested app transaction as JSON; nil for none.
    public var appTransactionJSON: Data? { appTransaction?.data }

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

/// One attempt to send a notification, with what the developer's server answered.
public struct DeliveryAttempt: Codable, Hashable, Sendable {
    /// The maximum size of ``response`` in bytes.
    public static let responseLimit = 512

    /// The date of the attempt, according to the store's clock.
    public var attemptDate: Timestamp
    /// The result of the attempt, as the App Store's notification history has it.
    public var sendAttemptResult: SendAttemptResult
    /// The URL to which the notification was sent; nil in the record of an earlier version.
    public var url: String?
    /// The HTTP status of the response; nil without a response.
    public var status: Int?
    /// The time from the request to the response or the failure, in milliseconds; nil if the store has sent no request.
    ///
    /// During an advance of the store's time, a server that has not responded is not asked again.
    public var milliseconds: Int64?
    /// The beginning of the response's body as text; nil for an empty body, and for one that was not read.
    public var response: String?

    /// Creates an attempt.
    package init(attemptDate: Timestamp, sendAttemptResult: SendAttemptResult) {
        self.attemptDate = attemptDate
        self.sendAttemptResult = sendAttemptResult
    }
}

/// A request to simulate an event that causes a notification of a given type.
///
/// The store creates the purchases that the event requires.
package struct TriggerRequest: Codable, Hashable, Sendable {
    /// The notification type, such as `DID_RENEW`.
    package var type: String
    /// The subtype of the notification, such as `BILLING_RECOVERY`; nil for none.
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

/// The result of a simulated event: the notification that it caused.
public struct TriggerReply: Codable, Hashable, Sendable {
    /// The `notificationUUID` of the requested notification.
    public var notificationUUID: String
    /// The account that the event affected; nil for a notification that concerns no purchase.
    public var account: AccountID?
    /// The transaction that the notification concerns; nil for none.
    public var transactionID: TransactionID?

    /// Creates a reply.
    package init(notificationUUID: String, account: AccountID? = nil, transactionID: TransactionID? = nil) {
        self.notificationUUID = notificationUUID
        self.account = account
        self.transactionID = transactionID
    }
}
