public import PurchaseModel

/// Signed data that a verifier has vouched for; nobody else can make one, and nothing decodes into one.
public struct Verified<Payload: Hashable & Sendable>: Hashable, Sendable {
    /// What it says.
    public let payload: Payload
    /// The signed original, to be kept and verified again.
    public let original: Signed<Payload>
}

/// A transaction that a verifier has vouched for.
public typealias VerifiedTransaction = Verified<TransactionPayload>
/// Renewal information that a verifier has vouched for.
public typealias VerifiedRenewalInfo = Verified<RenewalInfoPayload>
/// An app transaction that a verifier has vouched for.
public typealias VerifiedAppTransaction = Verified<AppTransactionPayload>
/// A real-time request that a verifier has vouched for.
public typealias VerifiedRealtimeRequest = Verified<RealtimeRequestPayload>
/// Signed data of a kind that is not known here, which a verifier has vouched for.
public typealias VerifiedOther = Verified<OtherPayload>
