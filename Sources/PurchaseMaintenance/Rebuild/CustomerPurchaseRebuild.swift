import PurchaseModel
import PurchaseStorage

/// Finds rows of customers' purchase lists without a matching purchase of the customer.
///
/// ``PurchaseRebuild`` finds missing and different rows.
struct CustomerPurchaseRebuild: Sendable {
    /// The key of a row of a customer's purchase list.
    struct Key: Hashable, Sendable {
        let customer: CustomerID
        let product: ProductID
        let purchase: TransactionID
    }

    let app: BundleID

    func compare(_ key: Key, in records: SQLTransaction, isWriting: Bool) throws -> RebuildFindings {
        var findings = RebuildFindings(app: app, isWriting: isWriting)
        let read = try readable { try records.purchase(key.purchase) }
        // Skip an unreadable purchase, which ``PurchaseRebuild`` has already reported.
        guard let purchase = read else { return findings }
        if let purchase, purchase.timeline.products.contains(key.product), purchase.holders.contains(key.customer) {
            return findings
        }
        try findings.addStray(key) { try records.delete(key) }
        return findings
    }
}

extension RebuildFindings {
    /// Reports a row of a customer's purchase list that has no matching purchase.
    mutating func addStray(_ key: CustomerPurchaseRebuild.Key, repair: () throws -> Void) rethrows {
        try add(
            .customerPurchase, purchase: key.purchase, customer: key.customer,
            "The customer's list has the product \(key.product) from a purchase that the customer does not have.", repair: repair)
    }
}

extension SQLTransaction {
    /// Returns at most `limit` rows of customers' purchase lists after a row, in the order of their keys.
    func customerPurchases(after key: [String], limit: Int) throws -> [CustomerPurchaseRebuild.Key] {
        let key = key.count == 3 ? key : ["", "", ""]
        return try all(
            """
            SELECT customer, product_id, original_transaction_id FROM customer_purchase
            WHERE app = ?1 AND (customer > ?2 OR customer = ?2 AND (product_id > ?3 OR product_id = ?3 AND original_transaction_id > ?4))
            ORDER BY customer, product_id, original_transaction_id LIMIT ?5
            """, key[0], key[1], key[2], limit
        ) { row in
            CustomerPurchaseRebuild.Key(
                customer: CustomerID(try row["customer"] as String), product: ProductID(try row["product_id"] as String),
                purchase: TransactionID(try row["original_transaction_id"] as String))
        }
    }

    /// Returns whether a customer's purchase list has a row with a key.
    func contains(_ key: CustomerPurchaseRebuild.Key) throws -> Bool {
        try first(
            """
            SELECT 1 AS found FROM customer_purchase WHERE app = ?1 AND customer = ? AND product_id = ? AND original_transaction_id = ?
            """, key.customer.rawValue, key.product.rawValue, key.purchase.rawValue
        ) { _ in true } ?? false
    }

    fileprivate func delete(_ key: CustomerPurchaseRebuild.Key) throws {
        try execute(
            "DELETE FROM customer_purchase WHERE app = ?1 AND customer = ? AND product_id = ? AND original_transaction_id = ?",
            key.customer.rawValue, key.product.rawValue, key.purchase.rawValue)
    }
}
