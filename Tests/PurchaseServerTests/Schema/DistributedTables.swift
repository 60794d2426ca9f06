/// The columns by which a database of several nodes distributes the server's tables.
enum DistributedTables {
    /// The column that follows the app in a table's primary key; nil for a table with one row for each app.
    static let columns: [String: String?] = [
        "signed_event": "original_transaction_id", "transaction_version": "original_transaction_id",
        "purchase_period": "original_transaction_id", "renewal_version": "original_transaction_id", "purchase": "original_transaction_id",
        "purchase_claim": "original_transaction_id", "purchase_credit": "original_transaction_id",
        "credit_decision": "original_transaction_id", "customer": "customer", "customer_purchase": "customer",
        "customer_consent": "customer", "customer_merge": "customer", "ledger_posting": "customer", "ledger_entry": "customer",
        "ledger_balance": "customer",
        "entitlement_grant": "customer", "download_token": "customer", "customer_alias": "alias", "customer_token": "digest",
        "api_key": "digest", "receipt": "digest", "import_progress": "file", "secret": "name", "jws_header": "key",
        "notification": "uuid", "unknown_notification": "uuid",
        "team": "partition", "seat_invitation": "original_transaction_id", "seat_claim": "original_transaction_id",
        "customer_seat": "customer", "feed_event": "block", "feed_customer": "partition", "feed_outbox": nil, "feed_head": nil,
        "feed_sweep": nil, "feed_team": nil, "feed_retention": nil,
        "webhook_endpoint": nil, "webhook_position": "endpoint", "webhook_lane": "endpoint", "webhook_delivery": "endpoint",
        "webhook_dead_letter": "endpoint",
        "refused_notification": "slot", "verify_receipt_comparison": "slot", "rebuild_progress": "mode",
        "reconciliation": "environment", "outgoing_request": "partition", "purchase_lookup": "partition", "probe": "partition",
        "catalog_product": "product", "catalog_file_product": "product", "content_version": "product", "catalog_revision": nil,
    ]

    /// The columns that a primary key begins with, and that a statement states; nil for an unknown table.
    static func key(of table: String) -> [String]? {
        columns[table].map { ["app"] + [$0].compactMap { $0 } }
    }
}
