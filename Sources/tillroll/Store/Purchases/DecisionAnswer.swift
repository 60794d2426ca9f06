import PurchaseModel

/// A payment and the decision on it.
struct DecisionAnswer: Encodable, Sendable {
    var payment: PaymentID
    var approved: Bool
}
