package import PurchaseModel

extension SQLiteSchema {
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
}

extension PostgresSchema {
    static let ledgerTables = """
        CREATE TABLE ledger_posting (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            balance BIGINT NOT NULL,
            date BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency, kind, key)
        );
        CREATE UNIQUE INDEX ledger_posting_by_number ON ledger_posting (app, customer, currency, number);

        CREATE TABLE ledger_entry (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            account TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency, number, account)
        );

        CREATE TABLE ledger_balance (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            amount BIGINT NOT NULL,
            is_frozen BOOLEAN NOT NULL,
            postings BIGINT NOT NULL,
            PRIMARY KEY (app, customer, currency)
        );

        CREATE TABLE purchase_credit (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            charge TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            credits BIGINT NOT NULL CHECK (credits >= 0),
            revoked BIGINT NOT NULL CHECK (revoked BETWEEN 0 AND credits),
            written_off BIGINT NOT NULL CHECK (written_off BETWEEN 0 AND revoked),
            changes BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, charge)
        );
        """
}

extension SQLTransaction {
    private static let putPurchaseCredit = upsert(
        "purchase_credit", key: ["app", "original_transaction_id", "charge"],
        ["transaction_id", "customer", "currency", "credits", "revoked", "written_off", "changes"])

    package func balance(of customer: CustomerID, in currency: CurrencyID) throws -> CreditBalance {
        try first(
            "SELECT amount, is_frozen FROM ledger_balance WHERE app = ?1 AND customer = ? AND currency = ?", customer.rawValue,
            currency.rawValue
        ) { CreditBalance(amount: try $0["amount"], isFrozen: try $0["is_frozen"]) } ?? CreditBalance()
    }

    package func currencies(of customer: CustomerID) throws -> [CurrencyID] {
        try all("SELECT currency FROM ledger_balance WHERE app = ?1 AND customer = ? ORDER BY currency", customer.rawValue) {
            CurrencyID(try $0["currency"] as String)
        }
    }

    package func balances(of customer: CustomerID) throws -> [(currency: CurrencyID, balance: CreditBalance)] {
        try all(
            "SELECT currency, amount, is_frozen FROM ledger_balance WHERE app = ?1 AND customer = ? ORDER BY currency", customer.rawValue
        ) { row in
            (CurrencyID(try row["currency"] as String), CreditBalance(amount: try row["amount"], isFrozen: try row["is_frozen"]))
        }
    }

    @discardableResult
    package func post(_ posting: LedgerPosting, balance: CreditBalance) throws -> Int64 {
        let (customer, currency) = (posting.customer.rawValue, posting.currency.rawValue)
        try execute(
            """
            INSERT INTO ledger_balance (app, customer, currency, amount, is_frozen, postings) VALUES (?1, ?, ?, ?, ?, 1)
            ON CONFLICT (app, customer, currency) DO UPDATE SET amount = excluded.amount, is_frozen = excluded.is_frozen, postings = ledger_balance.postings + 1
            """, customer, currency, balance.amount, balance.isFrozen)
        let number: Int64 =
            try first("SELECT postings FROM ledger_balance WHERE app = ?1 AND customer = ? AND currency = ?", customer, currency) {
                try $0["postings"]
            } ?? 0
        try execute(
            """
            INSERT INTO ledger_posting (app, customer, currency, kind, key, number, balance, date) VALUES (?1, ?, ?, ?, ?, ?, ?, ?)
            """, customer, currency, posting.kind.rawValue, posting.key, number, posting.balance, posting.date.milliseconds)
        for entry in posting.entries {
            try execute(
                "INSERT INTO ledger_entry (app, customer, currency, number, account, amount) VALUES (?1, ?, ?, ?, ?, ?)", customer,
                currency, number, entry.account.rawValue, entry.amount)
        }
        return number
    }

    package func posting(
        _ kind: LedgerPosting.Kind, key: String, of customer: CustomerID, in currency: CurrencyID
    ) throws -> LedgerPosting? {
        try first(
            """
            SELECT kind, key, number, balance, date FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND kind = ? AND key = ?
            """, customer.rawValue, currency.rawValue, kind.rawValue, key
        ) { try posting($0, of: customer, in: currency) } ?? nil
    }

    package func postings(of customer: CustomerID, in currency: CurrencyID, before number: Int64?, limit: Int) throws -> [LedgerPosting] {
        try all(
            """
            SELECT kind, key, number, balance, date FROM ledger_posting
            WHERE app = ?1 AND customer = ? AND currency = ? AND number < ? ORDER BY number DESC LIMIT ?
            """, customer.rawValue, currency.rawValue, number ?? .max, max(0, limit)
        ) { try posting($0, of: customer, in: currency) }.compactMap { $0 }
    }

    private func posting(_ row: any SQLRow, of customer: CustomerID, in currency: CurrencyID) throws -> LedgerPosting? {
        guard let kind = LedgerPosting.Kind(rawValue: try row["kind"]) else { return nil }
        let entries = try all(
            "SELECT account, amount FROM ledger_entry WHERE app = ?1 AND customer = ? AND currency = ? AND number = ? ORDER BY account",
            customer.rawValue, currency.rawValue, try row["number"] as Int64
        ) { entry in
            let amount: Int64 = try entry["amount"]
            return LedgerAccount(rawValue: try entry["account"]).map { LedgerEntry($0, amount) }
        }
        return LedgerPosting(
            customer: customer, currency: currency, key: try row["key"], kind: kind,
            entries: entries.compactMap { $0 },
            balance: try row["balance"], date: Timestamp(milliseconds: try row["date"]), number: try row["number"])
    }

    package func credit(ofCharge charge: String, of purchase: TransactionID) throws -> PurchaseCredit? {
        try first(
            """
            SELECT transaction_id, customer, currency, credits, revoked, written_off, changes FROM purchase_credit
            WHERE app = ?1 AND original_transaction_id = ? AND charge = ?
            """, purchase.rawValue, charge
        ) { row in
            PurchaseCredit(
                purchase: purchase, charge: charge, transactionID: TransactionID(try row["transaction_id"] as String),
                customer: CustomerID(try row["customer"] as String), currency: CurrencyID(try row["currency"] as String),
                credits: try row["credits"],
                revoked: try row["revoked"], writtenOff: try row["written_off"], changes: try row["changes"])
        }
    }

    package func put(_ credit: PurchaseCredit) throws {
        try execute(
            Self.putPurchaseCredit, credit.purchase.rawValue, credit.charge, credit.transactionID.rawValue, credit.customer.rawValue,
            credit.currency.rawValue, credit.credits, credit.revoked, credit.writtenOff,
            credit.changes)
    }

    package func accountTotals() throws -> [CurrencyID: [LedgerAccount: Int64]] {
        var totals: [CurrencyID: [LedgerAccount: Int64]] = [:]
        _ = try all("SELECT currency, account, sum(amount) AS amount FROM ledger_entry WHERE app = ?1 GROUP BY currency, account") { row in
            guard let account = LedgerAccount(rawValue: try row["account"]) else { return }
            totals[CurrencyID(try row["currency"] as String), default: [:]][account] = try row["amount"]
        }
        return totals
    }
}
