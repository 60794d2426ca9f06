import PurchaseModel
import PurchaseProof

/// A value of StoreKit that the store signs.
protocol SignedValue: Sendable {
    associatedtype Payload: SignedPayload

    /// The value that a payload describes; nil where StoreKit has none for it, such as identifiers that are not numbers.
    init?(_ payload: Payload, signed: Signed<Payload>, origin: Origin)
}
