public import PurchaseModel

/// Verified signed data.
///
/// Only a ``SignedDataVerifier`` creates one, and nothing decodes into one.
public struct Verified<Payload: Hashable & Sendable>: Hashable, Sendable {
    /// The payload.
    public let payload: Payload
    /// The JWS.
    ///
    /// Store it, and verify it again after reading it.
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

/// A verified notification.
///
/// Each nested JWS is verified, too.
public struct VerifiedNotification: Hashable, Sendable {
    /// The notification.
    public let notification: Verified<NotificationPayload>
    /// The nested transaction.
    public let transaction: VerifiedTransaction?
    /// The nested renewal information.
    public let renewalInfo: VerifiedRenewalInfo?
    /// The nested app transaction.
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
    /// Renewal information.
    case renewalInfo(VerifiedRenewalInfo)
    /// An app transaction.
    case appTransaction(VerifiedAppTransaction)
    /// A notification with each nested JWS.
    case notification(VerifiedNotification)
    /// A real-time request.
    case realtimeRequest(VerifiedRealtimeRequest)
    /// Data of an unknown kind. Its JSON is in the report.
    case other(VerifiedOther)
}
