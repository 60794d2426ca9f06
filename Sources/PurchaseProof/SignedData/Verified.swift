public import PurchaseModel

/// Verified signed data: the decoded payload with the JWS that contains it.
///
/// Only a ``SignedDataVerifier`` creates values of this type. The type is not `Decodable`.
public struct Verified<Payload: Hashable & Sendable>: Hashable, Sendable {
    /// The verified payload.
    public let payload: Payload
    /// The environment of the data; nil when it is unknown.
    ///
    /// The payload states it. Data that the App Store signed in 2021 states none; its environment is the one that was passed to
    /// ``SignedDataVerifier/assuming(bundleID:environment:)``, that of the notification that contains the data, or the only one in which the
    /// root of the data is trusted. Apple's roots are trusted in two.
    public let environment: AppEnvironment?
    /// The signed data as a compact JWS.
    ///
    /// To store verified data, store this JWS, and verify it again after reading it.
    public let original: Signed<Payload>
}

/// A verified transaction.
public typealias VerifiedTransaction = Verified<TransactionPayload>
/// Verified renewal information.
public typealias VerifiedRenewalInfo = Verified<RenewalInfoPayload>
/// A verified app transaction.
public typealias VerifiedAppTransaction = Verified<AppTransactionPayload>
/// A verified real-time request.
public typealias VerifiedRealtimeRequest = Verified<RealtimeRequestPayload>
/// Verified signed data of an unknown kind.
public typealias VerifiedOther = Verified<OtherPayload>

/// A verified App Store Server Notification, with each JWS that is nested in it, also verified.
public struct VerifiedNotification: Hashable, Sendable {
    /// The notification itself.
    public let notification: Verified<NotificationPayload>
    /// The transaction that is nested in the notification; nil when there is none.
    public let transaction: VerifiedTransaction?
    /// The renewal information that is nested in the notification; nil when there is none.
    public let renewalInfo: VerifiedRenewalInfo?
    /// The app transaction that is nested in the notification; nil when there is none.
    public let appTransaction: VerifiedAppTransaction?

    init(
        notification: Verified<NotificationPayload>, transaction: VerifiedTransaction? = nil, renewalInfo: VerifiedRenewalInfo? = nil,
        appTransaction: VerifiedAppTransaction? = nil
    ) {
        self.notification = notification
        self.transaction = transaction
        self.renewalInfo = renewalInfo
        self.appTransaction = appTransaction
    }
}

/// Verified signed data of any kind.
public enum VerifiedSignedData: Hashable, Sendable {
    /// A transaction.
    case transaction(VerifiedTransaction)
    /// Renewal information of a subscription.
    case renewalInfo(VerifiedRenewalInfo)
    /// An app transaction.
    case appTransaction(VerifiedAppTransaction)
    /// An App Store Server Notification, with each JWS that is nested in it.
    case notification(VerifiedNotification)
    /// A real-time request of the Retention Messaging API.
    case realtimeRequest(VerifiedRealtimeRequest)
    /// Data of another kind, whose JSON is the ``SignedDataReport/payload`` of the report.
    case other(VerifiedOther)
}

extension VerifiedSignedData {
    /// The environment of the data; nil when it is unknown, as of data that the App Store signed in 2021.
    public var environment: AppEnvironment? {
        switch self {
        case .transaction(let data): data.environment
        case .renewalInfo(let data): data.environment
        case .appTransaction(let data): data.environment
        case .notification(let data): data.notification.environment
        case .realtimeRequest(let data): data.environment
        case .other(let data): data.environment
        }
    }
}
