package import GRDB
import PurchaseModel

extension SQLiteSchema {
    /// Creates the tables of recorded decisions, and fills them from the tables of earlier server versions.
    ///
    /// Earlier versions stored neither the date of a first claim nor the refund policy. The migration uses the date of the purchase's first
    /// event, and the refund policy that has the recorded effect.
    package static func recordDecisions(_ db: Database) throws {
        for tables in [claimTables, creditDecisionTables, rebuildTables] { try db.execute(sql: tables) }
        try db.execute(
            sql: """
                INSERT INTO purchase_claim (app, original_transaction_id, number, customer, attribution, outcome, previous, date)
                    SELECT app, original_transaction_id, number, to_customer, CASE WHEN attribution = 'device-verification'
                        THEN attribution ELSE 'backend' END, 'transferred', from_customer, date
                    FROM purchase_transfer LEFT JOIN purchase USING (app, original_transaction_id);
                INSERT INTO purchase_claim (app, original_transaction_id, number, customer, attribution, outcome, previous, date)
                    SELECT app, original_transaction_id, 1, customer, attribution, 'owner', NULL, coalesce((
                        SELECT min(received_at) FROM signed_event WHERE signed_event.app = purchase.app
                        AND signed_event.original_transaction_id = purchase.original_transaction_id), 0)
                    FROM purchase WHERE customer IS NOT NULL AND attribution IN ('device-verification', 'backend') AND NOT EXISTS (
                        SELECT 1 FROM purchase_transfer WHERE purchase_transfer.app = purchase.app
                        AND purchase_transfer.original_transaction_id = purchase.original_transaction_id);
                INSERT INTO purchase_claim (app, original_transaction_id, number, customer, attribution, outcome, previous, date)
                    SELECT app, original_transaction_id, 1 + holder.key + coalesce((
                            SELECT max(number) FROM purchase_claim WHERE purchase_claim.app = purchase.app
                            AND purchase_claim.original_transaction_id = purchase.original_transaction_id), 0),
                        holder.value, 'backend', 'shared', customer, 0
                    FROM purchase, json_each(purchase.shared_with) AS holder WHERE shared_with <> '[]';
                DROP TABLE purchase_transfer;

                INSERT INTO credit_decision (app, original_transaction_id, kind, key, charge, transaction_id, customer, currency, credits,
                        credits_per_unit, written_off, refund_policy, number, date)
                    SELECT credit.app, credit.original_transaction_id, 'purchase', posting.key, credit.charge, credit.transaction_id,
                        credit.customer, credit.currency, credit.credits,
                        credit.credits / max(1, coalesce(json_extract(version.event, '$.transaction.quantity'), 1)), 0, NULL,
                        posting.number, posting.date
                    FROM purchase_credit AS credit
                    JOIN ledger_posting AS posting ON posting.app = credit.app AND posting.customer = credit.customer
                        AND posting.currency = credit.currency AND posting.kind = 'purchase'
                        AND posting.key = credit.original_transaction_id || ' ' || credit.charge
                    LEFT JOIN transaction_version AS version ON version.app = credit.app
                        AND version.original_transaction_id = credit.original_transaction_id
                        AND version.transaction_id = credit.transaction_id;
                """)
        try recordRefunds(db)
    }

    /// Inserts the decision of each refund's posting, in the ledger of the credits' customer or of a merged customer.
    private static func recordRefunds(_ db: Database) throws {
        let credits = try Row.fetchCursor(
            db,
            sql:
                "SELECT app, original_transaction_id, charge, transaction_id, customer, currency, changes FROM purchase_credit WHERE changes > 0"
        )
        while let credit = try credits.next() {
            let (app, purchase, charge): (String, String, String) = (credit["app"], credit["original_transaction_id"], credit["charge"])
            for change in 1...max(1, credit["changes"] as Int) {
                try db.execute(
                    sql: """
                        WITH final (customer) AS (
                            SELECT coalesce((SELECT merged_into FROM customer WHERE app = ?1 AND customer = ?2), ?2))
                        INSERT INTO credit_decision (app, original_transaction_id, kind, key, charge, transaction_id, customer, currency,
                                credits, credits_per_unit, written_off, refund_policy, number, date)
                            SELECT app, ?3, kind, key, ?4, ?5, posting.customer, currency,
                                abs((SELECT amount FROM ledger_entry AS entry WHERE entry.app = posting.app
                                    AND entry.customer = posting.customer AND entry.currency = posting.currency
                                    AND entry.number = posting.number AND account = 'refunds')),
                                NULL,
                                abs(coalesce((SELECT amount FROM ledger_entry AS entry WHERE entry.app = posting.app
                                    AND entry.customer = posting.customer AND entry.currency = posting.currency
                                    AND entry.number = posting.number AND account = 'write-offs'), 0)),
                                CASE WHEN kind = 'refund' THEN iif(balance < 0 AND EXISTS (
                                    SELECT 1 FROM ledger_balance WHERE app = ?1 AND customer = posting.customer
                                    AND currency = ?6 AND is_frozen), 'freeze', 'debt') END,
                                number, date
                            FROM ledger_posting AS posting, final WHERE app = ?1 AND currency = ?6 AND kind IN ('refund', 'refund-reversal')
                                AND key = ?7 AND (posting.customer = final.customer OR posting.customer IN (
                                    SELECT customer FROM customer WHERE app = ?1 AND merged_into = final.customer))
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        app, credit["customer"] as String, purchase, charge, credit["transaction_id"] as String,
                        credit["currency"] as String, "\(purchase) \(charge) \(change)",
                    ])
            }
        }
    }
}
