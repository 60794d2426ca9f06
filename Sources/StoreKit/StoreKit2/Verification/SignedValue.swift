import PurchaseModel
import PurchaseProof

/// A StoreKit value that the App Store signs, such as a transaction.
protocol SignedValue: Sendable {
    associatedtype Payload: SignedPayload

    /// Creates the StoreKit value of a signed payload; returns nil if StoreKit can't represent the payload.
    ///
    /// For example, StoreKit can't represent a transaction identifier that is not a number.
    init?(_ payload: Payload, signed: Signed<Payload>, origin: Origin)
}
