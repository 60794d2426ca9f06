package import PurchaseModel

extension SQLiteSchema {
    static let claimTables = """
        CREATE TABLE purchase_claim (
            app TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            customer TEXT NOT NULL,
            attribution TEXT NOT NULL,
            outcome TEXT NOT NULL,
            previous TEXT,
            date INTEGER NOT NULL,
            PRIMARY KEY (app, original_transaction_id, number)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let claimTables = """
        CREATE TABLE purchase_claim (
            app TEXT COLLATE "C" NOT NULL,
            original_transaction_id TEXT COLLATE "C" NOT NULL,
            number BIGINT NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            attribution TEXT COLLATE "C" NOT NULL,
            outcome TEXT COLLATE "C" NOT NULL,
            previous TEXT COLLATE "C",
            date BIGINT NOT NULL,
            PRIMARY KEY (app, original_transaction_id, number)
        );
        """
}

extension SQLTransaction {
    package func insert(_ claim: PurchaseClaim) throws {
        try execute(
            """
            INSERT INTO purchase_claim (app, original_transaction_id, number, customer, attribution, outcome, previous, date)
            SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6, ?7 FROM purchase_claim
            WHERE app = ?1 AND original_transaction_id = ?2
            """, claim.purchase.rawValue, claim.customer.rawValue, claim.attribution.rawValue, claim.outcome.rawValue,
            claim.previous?.rawValue, claim.date.milliseconds)
    }

    package func claims(of purchase: TransactionID) throws -> [PurchaseClaim] {
        try all(
            """
            SELECT customer, attribution, outcome, previous, date FROM purchase_claim
            WHERE app = ?1 AND original_transaction_id = ? ORDER BY number
            """, purchase.rawValue
        ) { row -> PurchaseClaim? in
            guard let attribution = PurchaseRecord.Attribution(rawValue: try row["attribution"]),
                let outcome = PurchaseClaim.Outcome(rawValue: try row["outcome"])
            else { return nil }
            return PurchaseClaim(
                purchase: purchase, customer: CustomerID(try row["customer"] as String), attribution: attribution, outcome: outcome,
                previous: (try row["previous"] as String?).map { CustomerID($0) }, date: Timestamp(milliseconds: try row["date"]))
        }.compactMap { $0 }
    }
}
