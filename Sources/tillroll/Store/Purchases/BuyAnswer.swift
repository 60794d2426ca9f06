import PurchaseModel

/// The result of a purchase, for scripts.
struct BuyAnswer: Encodable, Sendable {
    enum Outcome: String, Encodable, Sendable {
        case purchased, deferred, refused
    }

    var outcome: Outcome
    /// The payment's identifier, which a parent's approval or decline names.
    var payment: PaymentID
    /// The signed transaction.
    var signedTransaction: SignedTransaction?
    /// The payload of the signed transaction.
    var transaction: TransactionPayload?
    /// The code of the `SKError`.
    var code: Int?
    var message: String?
}
