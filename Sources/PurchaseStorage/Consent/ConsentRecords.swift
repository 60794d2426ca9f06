public import PurchaseModel

/// Reads and writes the consents of an app's customers within one database transaction.
public protocol ConsentRecords {
    /// Returns the date when a customer consented to sharing consumption data with Apple; nil without consent.
    func consumptionConsent(of customer: CustomerID) throws -> Timestamp?

    /// Sets the date of a customer's consent, or removes the consent if `date` is nil.
    func setConsumptionConsent(_ date: Timestamp?, of customer: CustomerID) throws
}

extension SQLiteSchema {
    static let consentTables = """
        CREATE TABLE customer_consent (
            app TEXT NOT NULL,
            customer TEXT NOT NULL,
            consumption_at INTEGER NOT NULL,
            PRIMARY KEY (app, customer)
        ) STRICT, WITHOUT ROWID;
        """
}

extension PostgresSchema {
    static let consentTables = """
        CREATE TABLE customer_consent (
            app TEXT COLLATE "C" NOT NULL,
            customer TEXT COLLATE "C" NOT NULL,
            consumption_at BIGINT NOT NULL,
            PRIMARY KEY (app, customer)
        );
        """
}

extension SQLTransaction {
    private static let putCustomerConsent = upsert(
        "customer_consent", key: ["app", "customer"],
        ["consumption_at"])

    package func consumptionConsent(of customer: CustomerID) throws -> Timestamp? {
        try first("SELECT consumption_at FROM customer_consent WHERE app = ?1 AND customer = ?", customer.rawValue) {
            Timestamp(milliseconds: try $0["consumption_at"])
        }
    }

    package func setConsumptionConsent(_ date: Timestamp?, of customer: CustomerID) throws {
        if let date {
            try execute(
                Self.putCustomerConsent, customer.rawValue,
                date.milliseconds)
        } else {
            try execute("DELETE FROM customer_consent WHERE app = ?1 AND customer = ?", customer.rawValue)
        }
    }
}
