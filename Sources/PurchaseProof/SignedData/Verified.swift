public import PurchaseModel

/// Verified signed data: the decoded payload with the JWS that contains it.
///
/// Only a ``SignedDataVerifier`` creates values of this type. The type is not `Decodable`.
public struct Verified<Payload: Hashable & Sendable>: Hashable, Sendable {
    /// The verified payload.
    public let payload: Payload
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
