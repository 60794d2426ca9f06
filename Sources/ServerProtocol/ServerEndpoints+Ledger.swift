package import PurchaseModel
package import Wire

extension ServerEndpoints {
    /// Reads the customer's balances in all currencies.
    package static let balances = Endpoint<Empty, BalancesReply>(.get, "/v1/customer/balances")
    /// Debits a balance, once for each idempotency key.
    package static let debit = Endpoint<DebitRequest, LedgerReply>(.post, "/v1/customer/debits")
    /// Adds credits without a purchase, once for each idempotency key; for backends.
    package static let creditGrant = Endpoint<DebitRequest, LedgerReply>(.post, "/v1/customer/credits")
    /// Lifts the freeze of a balance after a refund; for backends.
    package static let unfreeze = Endpoint<UnfreezeRequest, BalanceReply>(.post, "/v1/customer/balances/unfreeze")
    /// Reads the postings of one currency, newest first, in pages; the query parameters are `currency`, `before` and `limit`.
    package static let statement = Endpoint<Empty, StatementReply>(.get, "/v1/customer/statement")
}

/// A customer's balance in one currency.
package struct BalanceReply: Codable, Hashable, Sendable {
    package var currency: CurrencyID
    /// The number of credits; negative if a refund revoked spent credits.
    package var amount: Int64
    /// Whether debits are refused until a backend lifts the freeze, because a refund revoked spent credits.
    package var isFrozen: Bool

    package init(currency: CurrencyID, amount: Int64, isFrozen: Bool = false) {
        self.currency = currency
        self.amount = amount
        self.isFrozen = isFrozen
    }
}

/// A customer's balances, one in each currency.
package struct BalancesReply: Codable, Hashable, Sendable {
    /// The balance of each currency in which the customer had credits.
    package var balances: [BalanceReply]
    /// The date when the server last read the balances, if its database is unavailable; nil for a current answer.
    package var staleSince: Timestamp?

    package init(balances: [BalanceReply], staleSince: Timestamp? = nil) {
        self.balances = balances
        self.staleSince = staleSince
    }

    /// Returns the balance in a currency; 0 for a currency without credits.
    package func amount(of currency: CurrencyID = .credits) -> Int64 {
        balances.first { $0.currency == currency }?.amount ?? 0
    }
}

/// A request to debit credits from a balance, or to add credits.
package struct DebitRequest: Codable, Hashable, Sendable {
    /// The idempotency key; a repeated request with the same key has no further effect.
    package var idempotencyKey: String
    /// The number of credits, from 1 to 1,000,000,000.
    package var amount: Int64
    /// The currency of the credits; nil for `credits`.
    package var currency: CurrencyID?

    package init(idempotencyKey: String, amount: Int64, currency: CurrencyID? = nil) {
        self.idempotencyKey = idempotencyKey
        self.amount = amount
        self.currency = currency
    }
}

/// A request to lift the freeze of a balance.
package struct UnfreezeRequest: Codable, Hashable, Sendable {
    /// The currency of the frozen balance; nil for `credits`.
    package var currency: CurrencyID?

    package init(currency: CurrencyID? = nil) {
        self.currency = currency
    }
}

/// The result of a debit or a grant of credits.
package struct LedgerReply: Codable, Hashable, Sendable {
    package var currency: CurrencyID
    /// The balance after the posting.
    package var balance: Int64
    /// Whether an earlier request with the same idempotency key made the posting.
    package var isRepeated: Bool

    package init(currency: CurrencyID, balance: Int64, isRepeated: Bool) {
        self.currency = currency
        self.balance = balance
        self.isRepeated = isRepeated
    }
}

/// A page of postings.
package struct StatementReply: Codable, Hashable, Sendable {
    /// A posting to the customer's balance.
    package struct Posting: Codable, Hashable, Sendable {
        /// The position among the customer's postings in the currency, from 1.
        package var number: Int64
        /// The cause of the posting, such as `purchase` or `debit`.
        package var kind: String
        /// The idempotency key of the posting; for a purchase, the identifier of the charge.
        package var key: String
        /// The change of the balance, in credits.
        package var amount: Int64
        /// The balance after the posting.
        package var balance: Int64
        package var date: Timestamp
        /// The entries of the posting; the sum of their amounts is zero.
        package var entries: [LedgerEntry]

        package init(number: Int64, kind: String, key: String, amount: Int64, balance: Int64, date: Timestamp, entries: [LedgerEntry]) {
            self.number = number
            self.kind = kind
            self.key = key
            self.amount = amount
            self.balance = balance
            self.date = date
            self.entries = entries
        }
    }

    package var currency: CurrencyID
    /// The postings, newest first.
    package var postings: [Posting]
    /// The value of `before` for the next page; nil on the last page.
    package var nextBefore: Int64?

    package init(currency: CurrencyID, postings: [Posting], nextBefore: Int64?) {
        self.currency = currency
        self.postings = postings
        self.nextBefore = nextBefore
    }
}
