public import PurchaseModel

/// A posting of the ledger: entries whose sum is zero.
public struct LedgerPosting: Hashable, Sendable {
    /// The cause of a posting.
    public enum Kind: String, Codable, Hashable, Sendable {
        /// A purchase added credits.
        case purchase
        /// A backend added credits.
        case grant
        /// The app or a backend debited credits.
        case debit
        /// A refund revoked credits.
        case refund
        /// A reversed refund added credits again.
        case refundReversal = "refund-reversal"
        /// A merge of two customers moved the balance of the anonymous customer.
        case merge
        /// The undo of a merge of two customers moved the balance back.
        case mergeReversal = "merge-reversal"
        /// A backend lifted the freeze of a balance; the posting has no entries.
        case unfreeze
    }

    /// The customer whose balance the posting changes.
    public let customer: CustomerID
    /// The currency of the entries.
    public let currency: CurrencyID
    /// The idempotency key, unique for the customer, the currency and the kind.
    public let key: String
    /// The cause of the posting.
    public let kind: Kind
    /// The entries, whose amounts add up to zero.
    public let entries: [LedgerEntry]
    /// The customer's balance after the posting.
    public let balance: Int64
    /// The date of the posting.
    public let date: Timestamp
    /// The number of the posting among the customer's postings in the currency, from 1; 0 before the storage assigns the number.
    public let number: Int64

    /// Creates a posting.
    public init(
        customer: CustomerID, currency: CurrencyID, key: String, kind: Kind, entries: [LedgerEntry], balance: Int64, date: Timestamp,
        number: Int64 = 0
    ) {
        self.number = number
        self.customer = customer
        self.currency = currency
        self.key = key
        self.kind = kind
        self.entries = entries
        self.balance = balance
        self.date = date
    }

    /// Returns the posting with the number that the storage assigned.
    package func numbered(_ number: Int64) -> LedgerPosting {
        LedgerPosting(
            customer: customer, currency: currency, key: key, kind: kind, entries: entries, balance: balance, date: date, number: number)
    }

    /// The amount by which the posting changed the balance.
    public var amount: Int64 { entries.first { $0.account == .balance }?.amount ?? 0 }
}

/// The credits that a charge of a purchase added.
public struct PurchaseCredit: Hashable, Sendable {
    /// The `originalTransactionId` of the purchase.
    public let purchase: TransactionID
    /// The identifier of the charge; see `CreditRule.charge(of:)`.
    public let charge: String
    /// The first recorded transaction of the charge.
    public let transactionID: TransactionID
    /// The customer whose balance the credits were added to.
    public let customer: CustomerID
    /// The currency of the credits.
    public let currency: CurrencyID
    /// The credits that the charge added.
    public let credits: Int64
    /// The credits that refunds revoked.
    public var revoked: Int64
    /// The part of ``revoked`` that was written off.
    public var writtenOff: Int64
    /// The number of changes of ``revoked``, which makes the idempotency keys of the postings unique.
    public var changes: Int

    /// Creates a record.
    public init(
        purchase: TransactionID, charge: String, transactionID: TransactionID, customer: CustomerID, currency: CurrencyID, credits: Int64,
        revoked: Int64 = 0, writtenOff: Int64 = 0, changes: Int = 0
    ) {
        self.purchase = purchase
        self.charge = charge
        self.transactionID = transactionID
        self.customer = customer
        self.currency = currency
        self.credits = credits
        self.revoked = revoked
        self.writtenOff = writtenOff
        self.changes = changes
    }
}

/// Reads and writes an app's ledger within one database transaction.
public protocol LedgerRecords {
    /// Returns the balance of a customer in a currency; the balance of a new customer is zero.
    func balance(of customer: CustomerID, in currency: CurrencyID) throws -> CreditBalance

    /// Returns the currencies in which a customer has postings.
    func currencies(of customer: CustomerID) throws -> [CurrencyID]

    /// Returns the balances of a customer in the currencies in which the customer has postings, sorted by currency.
    func balances(of customer: CustomerID) throws -> [(currency: CurrencyID, balance: CreditBalance)]

    /// Stores a posting with its entries, and replaces the customer's balance in the currency.
    ///
    /// - Returns: The number of the posting among the customer's postings in the currency.
    @discardableResult
    func post(_ posting: LedgerPosting, balance: CreditBalance) throws -> Int64

    /// Returns the posting with an idempotency key; nil for an unused key.
    func posting(_ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID) throws -> LedgerPosting?

    /// Returns at most `limit` postings of a customer, newest first.
    ///
    /// - Parameters:
    ///   - customer: The customer.
    ///   - currency: The currency.
    ///   - number: The ``LedgerPosting/number`` before which the page begins; nil for the newest postings.
    ///   - limit: The maximum number of postings.
    func postings(of customer: CustomerID, in currency: CurrencyID, before number: Int64?, limit: Int) throws -> [LedgerPosting]

    /// Returns the credits of a charge; nil if the charge added no credits.
    func credit(ofCharge charge: String, of purchase: TransactionID) throws -> PurchaseCredit?

    /// Inserts or replaces the credits of a charge.
    func put(_ credit: PurchaseCredit) throws

    /// Inserts a decision about the credits of a charge, or replaces the decision with the same purchase, kind and key.
    func insert(_ decision: CreditDecision) throws

    /// Returns the decisions about the credits of a purchase, in the order of their dates.
    func creditDecisions(of purchase: TransactionID) throws -> [CreditDecision]

    /// Computes the sum of all entries of each account, by currency.
    ///
    /// The cost grows with the ledger. A correct ledger has the sum zero over all accounts of a currency.
    func accountTotals() throws -> [CurrencyID: [LedgerAccount: Int64]]
}

extension LedgerRecords {
    /// Returns the balances of a customer, with one read for each currency.
    public func balances(of customer: CustomerID) throws -> [(currency: CurrencyID, balance: CreditBalance)] {
        try currencies(of: customer).map { ($0, try balance(of: customer, in: $0)) }
    }
}
