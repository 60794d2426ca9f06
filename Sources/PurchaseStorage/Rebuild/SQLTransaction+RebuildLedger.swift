package import PurchaseModel

/// The ledger of a customer in one currency.
package struct LedgerKey: Codable, Hashable, Comparable, Sendable {
    package let customer: CustomerID
    package let currency: CurrencyID

    package init(customer: CustomerID, currency: CurrencyID) {
        self.customer = customer
        self.currency = currency
    }

    package static func < (lhs: LedgerKey, rhs: LedgerKey) -> Bool { (lhs.customer, lhs.currency) < (rhs.customer, rhs.currency) }
}

/// A stored posting, whose kind and accounts may be unknown to this version of the server.
package struct StoredPosting: Hashable, Sendable {
    /// An entry with the name of its account.
    package struct Entry: Hashable, Comparable, Sendable {
        package let account: String
        package let amount: Int64

        package init(account: String, amount: Int64) {
            self.account = account
            self.amount = amount
        }

        package init(_ entry: LedgerEntry) { self.init(account: entry.account.rawValue, amount: entry.amount) }

        /// The entry as text in a report of a rebuild.
        package var words: String { "\(account) \(amount)" }

        package static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.account, lhs.amount) < (rhs.account, rhs.amount) }
    }

    /// The number of the posting in its ledger.
    package let number: Int64
    /// The stored name of the kind.
    package let kindName: String
    /// The idempotency key.
    package let key: String
    /// The stored balance after the posting.
    package let balance: Int64
    /// The stored date of the posting.
    package let date: Timestamp
    /// The entries, sorted by their accounts.
    package var entries: [Entry] = []

    /// The kind; nil if ``kindName`` is unknown to this version of the server.
    package var kind: LedgerPosting.Kind? { LedgerPosting.Kind(rawValue: kindName) }

    /// The amount by which the posting changed the balance.
    package var amount: Int64 { entries.first { $0.account == LedgerAccount.balance.rawValue }?.amount ?? 0 }

    /// The purchase whose identifier begins the ``key`` of a purchase, a refund or a refund reversal; nil for any other posting.
    package var purchase: TransactionID? {
        guard [.purchase, .refund, .refundReversal].contains(kind), let end = key.firstIndex(of: " ") else { return nil }
        return TransactionID(String(key[..<end]))
    }

    /// Returns the positive amount of a posting that is the only record of a decision; nil if the posting is damaged.
    ///
    /// Both entries of a posting state the amount. If the amounts of the entries differ, the method returns the amount that fits the
    /// balances before and after the posting.
    ///
    /// - Parameters:
    ///   - account: The account of the entry that does not change the balance.
    ///   - sign: The sign of the balance's change.
    ///   - balances: The possible balances before the posting: according to the previous posting, and according to the replay.
    package func recordedAmount(_ account: LedgerAccount, sign: Int64, after balances: [Int64]) -> Int64? {
        func amount(_ account: LedgerAccount, _ sign: Int64) -> Int64? {
            guard let amount = entries.first(where: { $0.account == account.rawValue })?.amount, amount.signum() == sign,
                amount != .min
            else { return nil }
            return abs(amount)
        }
        let candidates = [amount(.balance, sign), amount(account, -sign)].compactMap { $0 }
        if candidates.count == 2, candidates[0] == candidates[1] { return candidates[0] }
        return candidates.first { amount in
            balances.contains { before in
                let (after, overflow) = before.addingReportingOverflow(sign * amount)
                return !overflow && after == balance
            }
        }
    }
}

/// Statements that read and repair the ledger row by row.
extension SQLTransaction {
    private static let ledgersAfter =
        ["ledger_balance", "ledger_posting", "ledger_entry"].map { table in
            """
            SELECT customer, currency FROM (
                SELECT DISTINCT customer, currency FROM \(table) WHERE app = ?1 AND (customer > ?2 OR customer = ?2 AND currency > ?3)
                ORDER BY customer, currency LIMIT ?4) AS \(table)_page
            """
        }.joined(separator: " UNION ") + " ORDER BY customer, currency LIMIT ?4"

    private static let putLedgerBalance = upsert(
        "ledger_balance", key: ["app", "customer", "currency"], ["amount", "is_frozen", "postings"])

    /// Returns at most `limit` ledgers after a ledger, by customer and currency.
    package func ledgers(after customer: String, _ currency: String, limit: Int) throws -> [LedgerKey] {
        try all(Self.ledgersAfter, customer, currency, limit) {
            LedgerKey(customer: CustomerID(try $0["customer"] as String), currency: CurrencyID(try $0["currency"] as String))
        }
    }

    /// Returns at most `limit` postings of a ledger after a number, in their order.
    package func storedPostings(of ledger: LedgerKey, after number: Int64, limit: Int) throws -> [StoredPosting] {
        let (customer, currency) = (ledger.customer.rawValue, ledger.currency.rawValue)
        var postings = try all(
            """
            SELECT number, kind, key, balance, date FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND number > ? ORDER BY number LIMIT ?
            """, customer, currency, number, limit
        ) { row in
            StoredPosting(
                number: try row["number"], kindName: try row["kind"], key: try row["key"], balance: try row["balance"],
                date: Timestamp(milliseconds: try row["date"]))
        }
        guard let last = postings.last?.number else { return [] }
        let entries = try all(
            """
            SELECT number, account, amount FROM ledger_entry
            WHERE app = ?1 AND customer = ? AND currency = ? AND number > ? AND number <= ? ORDER BY number, account
            """, customer, currency, number, last
        ) { (number: try $0["number"] as Int64, entry: StoredPosting.Entry(account: try $0["account"], amount: try $0["amount"])) }
        let byNumber = Dictionary(grouping: entries) { $0.number }
        for index in postings.indices { postings[index].entries = (byNumber[postings[index].number] ?? []).map(\.entry).sorted() }
        return postings
    }

    /// Returns all entries without a posting, because an entry may be the only remaining record of a decision.
    package func entriesWithoutPosting(of ledger: LedgerKey) throws -> [(number: Int64, entry: StoredPosting.Entry)] {
        try all(
            """
            SELECT number, account, amount FROM ledger_entry AS entry WHERE app = ?1 AND customer = ?2 AND currency = ?3 AND NOT EXISTS (
                SELECT 1 FROM ledger_posting WHERE app = ?1 AND customer = ?2 AND currency = ?3 AND number = entry.number)
            ORDER BY number, account
            """, ledger.customer.rawValue, ledger.currency.rawValue
        ) { (try $0["number"], StoredPosting.Entry(account: try $0["account"], amount: try $0["amount"])) }
    }

    /// Returns the stored balance of a ledger, and its stored number of postings; nil if the ledger has no row.
    package func storedBalance(of ledger: LedgerKey) throws -> (balance: CreditBalance, postings: Int64)? {
        try first(
            "SELECT amount, is_frozen, postings FROM ledger_balance WHERE app = ?1 AND customer = ? AND currency = ?",
            ledger.customer.rawValue, ledger.currency.rawValue
        ) { (CreditBalance(amount: try $0["amount"], isFrozen: try $0["is_frozen"]), try $0["postings"]) }
    }

    /// Inserts or replaces the balance and the number of postings of a ledger.
    package func put(_ balance: CreditBalance, postings: Int64, of ledger: LedgerKey) throws {
        try execute(
            Self.putLedgerBalance, ledger.customer.rawValue, ledger.currency.rawValue, balance.amount, balance.isFrozen, postings)
    }

    /// Replaces the balance that the posting with a number states.
    package func setBalance(_ balance: Int64, of number: Int64, of ledger: LedgerKey) throws {
        try execute(
            "UPDATE ledger_posting SET balance = ?5 WHERE app = ?1 AND customer = ?2 AND currency = ?3 AND number = ?4",
            ledger.customer.rawValue, ledger.currency.rawValue, number, balance)
    }

    /// Deletes the entries of the posting with a number, but not the posting.
    package func deleteEntries(of number: Int64, of ledger: LedgerKey) throws {
        try execute(
            "DELETE FROM ledger_entry WHERE app = ?1 AND customer = ? AND currency = ? AND number = ?", ledger.customer.rawValue,
            ledger.currency.rawValue, number)
    }

    /// Replaces the entries of the posting with a number.
    package func replaceEntries(of number: Int64, with entries: [LedgerEntry], of ledger: LedgerKey) throws {
        try deleteEntries(of: number, of: ledger)
        for entry in entries {
            try execute(
                "INSERT INTO ledger_entry (app, customer, currency, number, account, amount) VALUES (?1, ?, ?, ?, ?, ?)",
                ledger.customer.rawValue, ledger.currency.rawValue, number, entry.account.rawValue, entry.amount)
        }
    }

    /// Deletes a posting with its entries.
    package func deletePosting(_ posting: StoredPosting, of ledger: LedgerKey) throws {
        try deleteEntries(of: posting.number, of: ledger)
        try execute(
            "DELETE FROM ledger_posting WHERE app = ?1 AND customer = ? AND currency = ? AND number = ?", ledger.customer.rawValue,
            ledger.currency.rawValue, posting.number)
    }

    /// Returns the date of a posting; nil for a missing posting.
    package func postingDate(
        _ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID
    ) throws -> Timestamp? {
        try first(
            "SELECT date FROM ledger_posting WHERE app = ?1 AND customer = ? AND currency = ? AND kind = ? AND key = ?",
            customer.rawValue, currency.rawValue, kind.rawValue, key
        ) { Timestamp(milliseconds: try $0["date"]) }
    }

    /// Returns the numbers, in ascending order, of the changes to a charge's revoked credits that have postings in a ledger.
    ///
    /// - Parameters:
    ///   - kind: The kind of the postings: a refund or a refund reversal.
    ///   - key: The idempotency key of the charge's purchase, with which the keys of the changes begin.
    ///   - customer: The customer.
    ///   - currency: The currency.
    package func postedChanges(
        _ kind: LedgerPosting.Kind, of key: String, of customer: CustomerID, in currency: CurrencyID
    ) throws -> [Int] {
        let prefix = "\(key) "
        // End the range at the colon, because the colon follows the digits in the byte order of both databases.
        return try all(
            """
            SELECT key FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND kind = ? AND key >= ? AND key < ? ORDER BY key
            """, customer.rawValue, currency.rawValue, kind.rawValue, prefix, prefix + ":"
        ) { row -> Int? in
            let number = (try row["key"] as String).dropFirst(prefix.count)
            // Skip another spelling of a number, such as 01, which no posting of the server has.
            return Int(number).flatMap { $0 > 0 && String($0) == number ? $0 : nil }
        }.compactMap { $0 }.sorted()
    }

    /// Replaces the date of a decision's posting with the date of the decision.
    package func updatePostingDate(of decision: CreditDecision) throws {
        try execute(
            "UPDATE ledger_posting SET date = ?2 WHERE app = ?1 AND customer = ?3 AND currency = ?4 AND kind = ?5 AND key = ?6",
            decision.date.milliseconds, decision.customer.rawValue, decision.currency.rawValue, decision.kind.rawValue, decision.key)
    }

    /// Inserts the missing posting of a decision at the decision's number, or at the end if another posting has the number.
    ///
    /// The replay of the ledger then corrects the later balances.
    package func insertPosting(of decision: CreditDecision) throws {
        let (customer, currency) = (decision.customer.rawValue, decision.currency.rawValue)
        let isFree: Bool =
            try first(
                "SELECT 1 AS found FROM ledger_posting WHERE app = ?1 AND customer = ? AND currency = ? AND number = ?", customer, currency,
                decision.number
            ) { _ in false } ?? true
        let previous: (number: Int64, balance: Int64) =
            try first(
                """
                SELECT number, balance FROM ledger_posting WHERE app = ?1 AND customer = ? AND currency = ? AND number < ?
                ORDER BY number DESC LIMIT 1
                """, customer, currency, isFree && decision.number > 0 ? decision.number : .max
            ) { (try $0["number"], try $0["balance"]) } ?? (0, 0)
        var balance = CreditBalance(amount: previous.balance)
        let entries = try decision.apply(to: &balance)
        let number = isFree && decision.number > 0 ? decision.number : previous.number + 1
        try execute(
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date) VALUES (?1, ?, ?, ?, ?, ?, ?, ?)
            """, customer, currency, decision.kind.rawValue, decision.key, number, balance.amount, decision.date.milliseconds)
        try replaceEntries(
            of: number, with: entries, of: LedgerKey(customer: decision.customer, currency: decision.currency))
    }

    // MARK: Credits and purchases

    /// Returns the stored credits of a purchase by charge.
    package func credits(of purchase: TransactionID) throws -> [OpaqueText: PurchaseCredit] {
        let charges = try all(
            "SELECT charge FROM purchase_credit WHERE app = ?1 AND original_transaction_id = ? ORDER BY charge", purchase.rawValue
        ) { try $0["charge"] as String }
        let credits = try charges.compactMap { try credit(ofCharge: $0, of: purchase) }
        return Dictionary(credits.map { (OpaqueText($0.charge), $0) }) { first, _ in first }
    }

    /// Deletes the record of a charge's credits, but not the postings.
    package func deleteCredit(ofCharge charge: String, of purchase: TransactionID) throws {
        try execute("DELETE FROM purchase_credit WHERE app = ?1 AND original_transaction_id = ? AND charge = ?", purchase.rawValue, charge)
    }

    /// Deletes the row of a purchase, but not the purchase's signed events.
    package func deletePurchase(_ purchase: TransactionID) throws {
        try execute("DELETE FROM purchase WHERE app = ?1 AND original_transaction_id = ?", purchase.rawValue)
    }
}
