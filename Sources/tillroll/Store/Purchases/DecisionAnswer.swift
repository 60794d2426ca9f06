import PurchaseModel

/// Which payment was decided on, and how.
struct DecisionAnswer: Encodable, Sendable {
    var payment: PaymentID
    var approved: Bool
}
