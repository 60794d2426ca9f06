import GRDB
import PurchaseModel

extension SQLiteTransaction {
    /// The tables of the ledger.
    static let ledgerTables = """
        CREATE TABLE ledger_posting (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            currency TEXT NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            number INTEGER NOT NULL,
            balance INTEGER NOT NULL,
            date INTEGER NOT NULL,
            PRIMARY KEY (app, customer, currency, kind, key)
        ) STRICT;
        CREATE UNIQUE INDEX ledger_posting_by_number ON ledger_posting (app, customer, currency, number);

        CREATE TABLE ledger_entry (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            currency TEXT NOT NULL,
            number INTEGER NOT NULL,
            account TEXT NOT NULL,
            amount INTEGER NOT NULL,
            PRIMARY KEY (app, customer, currency, number, account)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger_balance (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            currency TEXT NOT NULL,
            amount INTEGER NOT NULL,
            is_frozen INTEGER NOT NULL,
            postings INTEGER NOT NULL,
            PRIMARY KEY (app, customer, currency)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE purchase_credit (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            charge TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            customer TEXT NOT NULL,
            currency TEXT NOT NULL,
            credits INTEGER NOT NULL CHECK (credits >= 0),
            revoked INTEGER NOT NULL CHECK (revoked BETWEEN 0 AND credits),
            written_off INTEGER NOT NULL CHECK (written_off BETWEEN 0 AND revoked),
            changes INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, charge)
        ) STRICT;
        """

    func balance(of customer: CustomerID, in currency: CurrencyID) throws -> CreditBalance {
        try first(
            "SELECT amount, is_frozen FROM ledger_balance WHERE app = ?1 AND customer = ? AND currency = ?", customer.rawValue,
            currency.rawValue
        ) { CreditBalance(amount: $0["amount"], isFrozen: $0["is_frozen"]) } ?? CreditBalance()
    }

    func currencies(of customer: CustomerID) throws -> [CurrencyID] {
        try all("SELECT currency FROM ledger_balance WHERE app = ?1 AND customer = ? ORDER BY currency", customer.rawValue) {
            CurrencyID($0["currency"] as String)
        }
    }

    func post(_ posting: LedgerPosting, balance: CreditBalance) throws {
        let (customer, currency) = (posting.customer.rawValue, posting.currency.rawValue)
        try execute(
            """
            INSERT INTO ledger_balance (app, customer, currency, amount, is_frozen, postings) VALUES (?1, ?, ?, ?, ?, 1)
            ON CONFLICT DO UPDATE SET amount = excluded.amount, is_frozen = excluded.is_frozen, postings = postings + 1
            """, customer, currency, balance.amount, balance.isFrozen)
        let number: Int64? = try first(
            "SELECT postings FROM ledger_balance WHERE app = ?1 AND customer = ? AND currency = ?", customer, currency
        ) { $0["postings"] }
        try execute(
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date) VALUES (?1, ?, ?, ?, ?, ?, ?, ?)
            """, customer, currency, posting.kind.rawValue, posting.key, number, posting.balance, posting.date.milliseconds)
        for entry in posting.entries {
            try execute(
                "INSERT INTO ledger_entry (app, customer, currency, number, account, amount) VALUES (?1, ?, ?, ?, ?, ?)", customer,
                currency, number, entry.account.rawValue, entry.amount)
        }
    }

    func posting(
        _ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID
    ) throws -> LedgerPosting? {
        try row(
            """
            SELECT kind, key, number, balance, date FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND kind = ? AND key = ?
            """, customer.rawValue, currency.rawValue, kind.rawValue, key
        ).flatMap { try posting($0, of: customer, in: currency) }
    }

    func postings(of customer: CustomerID, in currency: CurrencyID, before number: Int64?, limit: Int) throws -> [LedgerPosting] {
        try rows(
            """
            SELECT kind, key, number, balance, date FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND number < ? ORDER BY number DESC LIMIT ?
            """, customer.rawValue, currency.rawValue, number ?? .max, max(0, limit)
        ).compactMap { try posting($0, of: customer, in: currency) }
    }

    private func posting(_ row: Row, of customer: CustomerID, in currency: CurrencyID) throws -> LedgerPosting? {
        guard let kind = LedgerPosting.Kind(rawValue: row["kind"]) else { return nil }
        let entries = try rows(
            "SELECT account, amount FROM ledger_entry WHERE app = ?1 AND customer = ? AND currency = ? AND number = ? ORDER BY account",
            customer.rawValue, currency.rawValue, row["number"] as Int64)
        return LedgerPosting(
            customer: customer, currency: currency, key: row["key"], kind: kind,
            entries: entries.compactMap { entry in
                LedgerAccount(rawValue: entry["account"]).map { LedgerEntry($0, entry["amount"]) }
            },
            balance: row["balance"], date: Timestamp(milliseconds: row["date"]), number: row["number"])
    }

    func credit(ofCharge charge: String, of purchase: TransactionID) throws -> PurchaseCredit? {
        try first(
            """
            SELECT transaction_id, customer, currency, credits, revoked, written_off, changes FROM purchase_credit
            WHERE app = ?1 AND original_transaction_id = ? AND charge = ?
            """, purchase.rawValue, charge
        ) { row in
            PurchaseCredit(
                purchase: purchase, charge: charge, transactionID: TransactionID(row["transaction_id"] as String),
                customer: CustomerID(row["customer"] as String), currency: CurrencyID(row["currency"] as String), credits: row["credits"],
                revoked: row["revoked"], writtenOff: row["written_off"], changes: row["changes"])
        }
    }

    func put(_ credit: PurchaseCredit) throws {
        try execute(
            """
            INSERT OR REPLACE INTO purchase_credit
                (app, original_transaction_id, charge, transaction_id, customer, currency, credits, revoked, written_off, changes)
            VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, credit.purchase.rawValue, credit.charge, credit.transactionID.rawValue, credit.customer.rawValue,
            credit.currency.rawValue, credit.credits, credit.revoked, credit.writtenOff,
            credit.changes)
    }

    func accountTotals() throws -> [CurrencyID: [LedgerAccount: Int64]] {
        let totals = try rows(
            "SELECT currency, account, sum(amount) AS amount FROM ledger_entry WHERE app = ?1 GROUP BY currency, account")
        return totals.reduce(into: [:]) { result, row in
            guard let account = LedgerAccount(rawValue: row["account"]) else { return }
            result[CurrencyID(row["currency"] as String), default: [:]][account] = row["amount"]
        }
    }
}
