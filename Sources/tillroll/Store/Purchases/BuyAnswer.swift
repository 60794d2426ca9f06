import PurchaseModel

/// What came of a purchase, as scripts get it.
struct BuyAnswer: Encodable, Sendable {
    enum Outcome: String, Encodable, Sendable {
        case purchased, deferred, refused
    }

    var outcome: Outcome
    /// The payment, by which a parent's decision names it.
    var payment: PaymentID
    /// The transaction as the store signed it.
    var signedTransaction: SignedTransaction?
    /// What it says.
    var transaction: TransactionPayload?
    /// A code of `SKError`'s.
    var code: Int?
    var message: String?
}
