package import PurchaseModel

extension SQLiteSchema {
    static let creditDecisionTables = """
        CREATE TABLE credit_decision (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            charge TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            customer TEXT NOT NULL,
            currency TEXT NOT NULL,
            credits INTEGER NOT NULL,
            credits_per_unit INTEGER,
            written_off INTEGER NOT NULL,
            refund_policy TEXT,
            -- the number of the posting
            number INTEGER NOT NULL,
            date INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, kind, key)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let creditDecisionTables = """
        CREATE TABLE credit_decision (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            kind TEXT COLLATE "C" NOT NULL,
            key TEXT COLLATE "C" NOT NULL,
            charge TEXT COLLATE "C" NOT NULL,
            transaction_id TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            currency TEXT COLLATE "C" NOT NULL,
            credits BIGINT NOT NULL,
            credits_per_unit BIGINT,
            written_off BIGINT NOT NULL,
            refund_policy TEXT COLLATE "C",
            -- the number of the posting
            number BIGINT NOT NULL,
            date BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, kind, key)
        );
        """
}

extension SQLTransaction {
    private static let putCreditDecision = upsert(
        "credit_decision", key: ["app", "original_transaction_id", "kind", "key"],
        [
            "charge", "transaction_id", "customer", "currency", "credits", "credits_per_unit", "written_off", "refund_policy", "number",
            "date",
        ])

    package func insert(_ decision: CreditDecision) throws {
        try execute(
            Self.putCreditDecision, decision.purchase.rawValue, decision.kind.rawValue, decision.key, decision.charge,
            decision.transactionID.rawValue, decision.customer.rawValue, decision.currency.rawValue, decision.credits,
            decision.creditsPerUnit, decision.writtenOff, decision.refundPolicy?.rawValue, decision.number, decision.date.milliseconds)
    }

    package func creditDecisions(of purchase: TransactionID) throws -> [CreditDecision] {
        try all(
            "SELECT * FROM credit_decision WHERE app = ?1 AND original_transaction_id = ? ORDER BY date, kind, key", purchase.rawValue,
            read: creditDecision
        ).compactMap { $0 }
    }

    /// Returns the decision of a posting; nil for a posting without a decision.
    package func creditDecision(_ kind: LedgerPosting.Kind, key: String, of purchase: TransactionID) throws -> CreditDecision? {
        try first(
            "SELECT * FROM credit_decision WHERE app = ?1 AND original_transaction_id = ? AND kind = ? AND key = ?", purchase.rawValue,
            kind.rawValue, key, read: creditDecision) ?? nil
    }

    private func creditDecision(_ row: any SQLRow) throws -> CreditDecision? {
        guard let kind = LedgerPosting.Kind(rawValue: try row["kind"]) else { return nil }
        return CreditDecision(
            purchase: TransactionID(try row["original_transaction_id"] as String), kind: kind, key: try row["key"],
            charge: try row["charge"], transactionID: TransactionID(try row["transaction_id"] as String),
            customer: CustomerID(try row["customer"] as String), currency: CurrencyID(try row["currency"] as String),
            credits: try row["credits"], creditsPerUnit: try row["credits_per_unit"], writtenOff: try row["written_off"],
            refundPolicy: (try row["refund_policy"] as String?).flatMap { RefundPolicy(rawValue: $0) }, number: try row["number"],
            date: Timestamp(milliseconds: try row["date"]))
    }
}
