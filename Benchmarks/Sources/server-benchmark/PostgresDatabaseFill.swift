import Foundation
import PurchaseModel

/// Fills the server's PostgreSQL database with customers, by copying the rows of a customer whose purchase the server has recorded.
///
/// Each copied customer has a subscription with a number of periods, each of which has a signed transaction. The copied rows have their own
/// identifiers; their signatures are those of the recorded transaction.
struct PostgresDatabaseFill {
    /// The number of copied customers.
    let customers: Int
    /// The number of transactions of each customer.
    var periods = 1

    /// Copies the rows, in the order of their keys.
    func fill(_ url: String) throws {
        let template = SignedSamples.transactionID(CustomerDatabase.template.transaction).rawValue
        let customer = "(lpad(to_hex(n), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))"
        let original = "(\(Int(template) ?? 0) + n * 10)::text"
        let transaction = "(\(Int(template) ?? 0) + n * 10 + k)::text"
        let digest = "sha256((n * 10 + k)::text::bytea)"
        let token = "sha256(('ct_\(String(repeating: "0", count: 30))' || n)::bytea)"
        let (owners, periods) = ("generate_series(1, \(customers)) AS n", "generate_series(0, \(self.periods - 1)) AS k")
        let (month, last) = (SignedSamples.month * 1_000, self.periods - 1)
        func replaced(_ column: String, by id: String) -> String { "replace(\(column), '\(template)', \(id))" }
        try BarePostgres.execute(
            """
            INSERT INTO customer (app, customer, created_at) SELECT app, \(customer), 0 FROM purchase, \(owners);
            INSERT INTO customer_token (app, customer, created_at, digest) SELECT app, \(customer), 0, \(token) FROM purchase, \(owners);
            INSERT INTO signed_event (app, original_transaction_id, digest, signed_date, received_at, signed_transaction, event)
                SELECT app, \(original), \(digest), signed_date + k, received_at, signed_transaction, \(replaced("event", by: transaction))
                FROM signed_event, \(owners), \(periods);
            INSERT INTO transaction_version (app, original_transaction_id, transaction_id, purchase_date, paid_until, app_account_token, period,
                    signed_date, source, charge, is_revoked, was_revoked, revoked_percentage, digest, event)
                SELECT app, \(original), \(transaction), purchase_date - (\(last) - k) * \(month), paid_until - (\(last) - k) * \(month),
                    \(customer), period || k, signed_date, source, charge, is_revoked, was_revoked, revoked_percentage, \(digest),
                    \(replaced("event", by: transaction)) FROM transaction_version, \(owners), \(periods);
            INSERT INTO purchase_period (app, original_transaction_id, period, start)
                SELECT app, \(original), period || k, start - (\(last) - k) * \(month) FROM purchase_period, \(owners), \(periods);
            INSERT INTO purchase_lookup (app, partition, original_transaction_id, due_at)
                SELECT app, n % 16, \(original), due_at FROM purchase_lookup, \(owners);
            INSERT INTO customer_purchase (app, customer, product_id, original_transaction_id, attribution, owner, entitlement)
                SELECT app, \(customer), product_id, \(original), attribution, owner, \(replaced("entitlement", by: original))
                FROM customer_purchase, \(owners);
            INSERT INTO purchase (app, original_transaction_id, customer, attribution, shared_with, entitlement)
                SELECT app, \(original), \(customer), attribution, shared_with, \(replaced("entitlement", by: original))
                FROM purchase, \(owners);
            """, at: url)
        for statement in ["VACUUM ANALYZE", "CHECKPOINT"] { try BarePostgres.execute(statement, at: url) }
    }
}
