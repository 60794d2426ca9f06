import PurchaseModel
import PurchaseProof

/// A value of StoreKit that the store signs.
protocol SignedValue: Sendable {
    associatedtype Payload: SignedPayload

    /// Creates the value of a payload; nil when StoreKit can't represent it, such as an identifier that is not a number.
    init?(_ payload: Payload, signed: Signed<Payload>, origin: Origin)
}
