public import PurchaseModel

/// The server's decision about the credits of a charge: to add, to revoke after a refund, or to return after a refund reversal.
///
/// The number of credits of a charge depends on the catalog at the time of the decision. The effect of a refund depends on the balance and
/// the refund policy at the time of the decision. No signed data states the catalog, the balance or the refund policy, so the server stores
/// the decisions, from which a rebuild computes the postings of purchases and refunds. A history of catalogs and configurations can't
/// replace the decisions, because several servers read a change at different times.
public struct CreditDecision: Codable, Hashable, Sendable {
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The kind of the posting: a purchase, a refund or a refund reversal.
    public let kind: LedgerPosting.Kind
    /// The idempotency key of the posting, which is unique for the purchase and the kind.
    public let key: String
    /// The identifier of the charge; see `CreditRule.charge(of:)`.
    public let charge: String
    /// The transaction that added the credits of the charge.
    public let transactionID: TransactionID
    /// The customer whose balance the posting changed.
    public let customer: CustomerID
    /// The currency of the credits.
    public let currency: CurrencyID
    /// The credits that were added, revoked or returned; positive.
    public let credits: Int64
    /// The credits that the catalog stated for one unit of the product; nil for a refund or a reversal.
    public let creditsPerUnit: Int64?
    /// The part of the revoked credits that was written off, or that a reversal does not return.
    public let writtenOff: Int64
    /// The refund policy at the time of the decision; nil for a purchase or a reversal.
    public let refundPolicy: RefundPolicy?
    /// The number of the posting among the customer's postings in the currency.
    public let number: Int64
    /// The date of the decision.
    public let date: Timestamp

    /// Creates a record.
    public init(
        purchase: TransactionID, kind: LedgerPosting.Kind, key: String, charge: String, transactionID: TransactionID, customer: CustomerID,
        currency: CurrencyID, credits: Int64, creditsPerUnit: Int64?, writtenOff: Int64, refundPolicy: RefundPolicy?, number: Int64,
        date: Timestamp
    ) {
        self.purchase = purchase
        self.kind = kind
        self.key = key
        self.charge = charge
        self.transactionID = transactionID
        self.customer = customer
        self.currency = currency
        self.credits = credits
        self.creditsPerUnit = creditsPerUnit
        self.writtenOff = writtenOff
        self.refundPolicy = refundPolicy
        self.number = number
        self.date = date
    }
}

extension CreditDecision {
    /// Creates the record of the decision that a posting about a charge carries out.
    package init(
        _ credit: PurchaseCredit, _ kind: LedgerPosting.Kind, _ posting: LedgerPosting, credits: Int64, perUnit: Int64? = nil,
        writtenOff: Int64 = 0, refundPolicy: RefundPolicy? = nil
    ) {
        self.init(
            purchase: credit.purchase, kind: kind, key: posting.key, charge: credit.charge, transactionID: credit.transactionID,
            customer: posting.customer, currency: posting.currency, credits: credits, creditsPerUnit: perUnit, writtenOff: writtenOff,
            refundPolicy: refundPolicy, number: posting.number, date: posting.date)
    }

    /// Applies the decision to a balance, and returns the entries of the posting.
    package func apply(to balance: inout CreditBalance) throws(CreditBalance.Refusal) -> [LedgerEntry] {
        switch kind {
        case .refund: try balance.revoke(credits, writtenOff: writtenOff, freezesDebt: refundPolicy == .freeze)
        case .refundReversal: try balance.reinstate(credits, writtenOff: writtenOff)
        case .purchase, .grant, .debit, .merge, .mergeReversal, .unfreeze: try balance.credit(credits, from: .purchases)
        }
    }
}
