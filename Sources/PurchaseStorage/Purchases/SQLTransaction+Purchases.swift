package import Foundation
package import PurchaseModel
import PurchaseProof

extension SQLTransaction {
    private static let putPurchase = upsert(
        "purchase", key: ["app", "original_transaction_id"],
        ["customer", "attribution", "shared_with", "entitlement"])

    private static let putCustomerPurchase = upsert(
        "customer_purchase", key: ["app", "customer", "product_id", "original_transaction_id"],
        ["attribution", "owner", "entitlement"])

    package func events(of purchase: TransactionID, limit: Int) throws -> [ReceivedEvent] {
        try all(
            """
            SELECT event, received_at FROM signed_event WHERE app = ?1 AND original_transaction_id = ?
            ORDER BY signed_date DESC, received_at DESC, digest DESC LIMIT ?
            """, purchase.rawValue, max(0, limit)
        ) { row in
            ReceivedEvent(event: try record(try row["event"]), receivedAt: Timestamp(milliseconds: try row["received_at"]))
        }.reversed()
    }

    private func storedEvent(_ row: any SQLRow) throws -> StoredEvent {
        let evidence: VerifiedEvent.Evidence
        if let transaction: String = try row["signed_transaction"] {
            let renewalInfo: String? = try row["signed_renewal_info"]
            evidence = .transaction(
                SignedTransaction(try compact(transaction)), try renewalInfo.map { SignedRenewalInfo(try compact($0)) })
        } else {
            evidence = .receipt([UInt8]((try row["receipt"] as Data?) ?? Data()))
        }
        return StoredEvent(
            evidence: evidence, event: try record(try row["event"]), receivedAt: Timestamp(milliseconds: try row["received_at"]))
    }

    package func decidingEvidence(of purchase: TransactionID) throws -> [StoredEvent] {
        guard let deciding = try decidingEvents(of: purchase) else { return [] }
        let evidence = EntitlementProjection.evidence(of: deciding)
        let transactions = Set(evidence.periods.flatMap { [$0.current, $0.revocation] }.compactMap { $0?.transaction.transactionId })
        var digests = Set(try transactions.compactMap { try digest(ofTransaction: $0, of: purchase) })
        if let renewal = try newestRenewal(of: purchase) { digests.insert(renewal.digest) }
        return try digests.compactMap { digest in
            try first(
                """
                SELECT signed_transaction, signed_renewal_info, receipt.receipt, event, received_at
                FROM signed_event LEFT JOIN receipt ON receipt.app = signed_event.app AND receipt.digest = signed_event.receipt
                WHERE signed_event.app = ?1 AND original_transaction_id = ? AND signed_event.digest = ?
                """, purchase.rawValue, digest, read: storedEvent)
        }.sorted { $0.event.signedDate < $1.event.signedDate }
    }

    private func digest(ofTransaction id: TransactionID, of purchase: TransactionID) throws -> Data? {
        try first(
            "SELECT digest FROM transaction_version WHERE app = ?1 AND original_transaction_id = ? AND transaction_id = ?",
            purchase.rawValue, id.rawValue
        ) { try $0["digest"] }
    }

    /// The latest periods of a purchase, with the events that determine them.
    ///
    /// The query skips a period without transactions, which remains if newer versions of its transactions state another period. The
    /// condition does not use `EXISTS`, for which PostgreSQL would join the tables.
    private static let latestPeriods = """
        SELECT start, (
            SELECT event FROM transaction_version WHERE app = ?1 AND original_transaction_id = ?2 AND period = latest.period
            ORDER BY is_revoked, paid_until DESC, transaction_id DESC LIMIT 1) AS event, (
            SELECT event FROM transaction_version
            WHERE app = ?1 AND original_transaction_id = ?2 AND period = latest.period AND is_revoked AND signed_date > coalesce(
                (SELECT max(signed_date) FROM transaction_version
                WHERE app = ?1 AND original_transaction_id = ?2 AND period = latest.period AND was_revoked AND NOT is_revoked), -1)
            ORDER BY signed_date DESC, revoked_percentage DESC, transaction_id DESC, source DESC LIMIT 1) AS revocation
        FROM purchase_period AS latest WHERE app = ?1 AND original_transaction_id = ?2 AND (
            SELECT period FROM transaction_version WHERE app = ?1 AND original_transaction_id = ?2 AND period = latest.period LIMIT 1)
            IS NOT NULL
        ORDER BY start DESC, period DESC LIMIT ?3
        """

    package func decidingEvents(of purchase: TransactionID) throws -> DecidingEvents? {
        try DecidingEvents(renewal: try newestRenewal(of: purchase).map { try record($0.event) }) { limit in
            try all(Self.latestPeriods, purchase.rawValue, limit) { row in
                let revocation: String? = try row["revocation"]
                return PurchasePeriod(
                    start: Timestamp(milliseconds: try row["start"]), current: try record(try row["event"]),
                    revocation: try revocation.map { try record($0) })
            }.reversed()
        }
    }

    /// Returns the signed event with the newest renewal info of a purchase: its digest, and its JSON.
    package func newestRenewal(of purchase: TransactionID) throws -> (digest: Data, event: String)? {
        try first("SELECT digest, event FROM renewal_version WHERE app = ?1 AND original_transaction_id = ?", purchase.rawValue) {
            (try $0["digest"], try $0["event"])
        }
    }

    package func appAccountToken(of purchase: TransactionID, in period: String) throws -> CustomerID? {
        let latest: String? = try first(
            """
            SELECT app_account_token FROM transaction_version
            WHERE app = ?1 AND original_transaction_id = ? AND period = ? AND app_account_token IS NOT NULL
            ORDER BY is_revoked, paid_until DESC, transaction_id DESC LIMIT 1
            """, purchase.rawValue, period
        ) { try $0["app_account_token"] }
        let newest: String? =
            try latest
            ?? first(
                """
                SELECT app_account_token FROM transaction_version
                WHERE app = ?1 AND original_transaction_id = ? AND app_account_token IS NOT NULL
                ORDER BY paid_until DESC, transaction_id DESC LIMIT 1
                """, purchase.rawValue
            ) { try $0["app_account_token"] }
        return newest.map { CustomerID($0) }
    }

    package func transaction(_ id: TransactionID, of purchase: TransactionID) throws -> SignedEvent? {
        try first(
            "SELECT event FROM transaction_version WHERE app = ?1 AND original_transaction_id = ? AND transaction_id = ?",
            purchase.rawValue, id.rawValue
        ) { try record(try $0["event"]) }
    }

    package func transactions(of purchase: TransactionID) throws -> [SignedEvent] {
        try all(
            "SELECT event FROM transaction_version WHERE app = ?1 AND original_transaction_id = ? ORDER BY paid_until, transaction_id",
            purchase.rawValue
        ) { try record(try $0["event"]) }
    }

    package func latestTransactions(limit: Int) throws -> [SignedEvent] {
        try all(
            "SELECT event FROM transaction_version WHERE app = ?1 ORDER BY purchase_date DESC, transaction_id DESC LIMIT ?", max(0, limit)
        ) { try record(try $0["event"]) }
    }

    package func revokedPercentage(ofCharge charge: String, of purchase: TransactionID) throws -> Int {
        try first(
            """
            SELECT revoked_percentage FROM transaction_version
            WHERE app = ?1 AND original_transaction_id = ?2 AND charge = ?3 AND was_revoked AND is_revoked AND signed_date > coalesce(
                (SELECT max(signed_date) FROM transaction_version
                WHERE app = ?1 AND original_transaction_id = ?2 AND charge = ?3 AND was_revoked AND NOT is_revoked), -1)
            ORDER BY signed_date DESC, revoked_percentage DESC LIMIT 1
            """, purchase.rawValue, charge
        ) { try $0["revoked_percentage"] } ?? 0
    }

    package func purchase(_ purchase: TransactionID) throws -> PurchaseRecord? {
        try first(
            "SELECT customer, attribution, shared_with, entitlement FROM purchase WHERE app = ?1 AND original_transaction_id = ?",
            purchase.rawValue
        ) { row in
            PurchaseRecord(
                timeline: try record(try row["entitlement"]), customer: (try row["customer"] as String?).map { CustomerID($0) },
                attribution: (try row["attribution"] as String?).flatMap { PurchaseRecord.Attribution(rawValue: $0) },
                sharedWith: try customers(try row["shared_with"]))
        }
    }

    package func put(_ purchase: PurchaseRecord) throws {
        try put(purchase, replacing: self.purchase(purchase.originalTransactionID))
    }

    package func put(_ purchase: PurchaseRecord, replacing stored: PurchaseRecord?) throws {
        let id = purchase.originalTransactionID.rawValue
        let timeline = try json(purchase.timeline)
        let rows = purchase.customerRows
        // Delete only the rows whose keys are obsolete, because an upsert replaces rows with unchanged keys.
        for row in (stored?.customerRows ?? []).subtracting(rows) {
            try execute(
                "DELETE FROM customer_purchase WHERE app = ?1 AND customer = ? AND product_id = ? AND original_transaction_id = ?",
                row.holder.rawValue, row.product.rawValue, id)
        }
        try execute(
            Self.putPurchase, id, purchase.customer?.rawValue, purchase.attribution?.rawValue,
            purchase.sharedWith.isEmpty ? "[]" : try json(purchase.sharedWith), timeline)
        for row in rows {
            let isOwner = row.holder == purchase.customer
            let attribution = isOwner ? purchase.attribution : .shared
            try execute(
                Self.putCustomerPurchase, row.holder.rawValue, row.product.rawValue, id, attribution?.rawValue ?? "",
                isOwner ? nil : purchase.customer?.rawValue, timeline)
        }
    }

    package func purchases(of customer: CustomerID) throws -> [PurchaseRecord] {
        var purchases: [PurchaseRecord] = []
        _ = try all(
            """
            SELECT attribution, owner, entitlement FROM customer_purchase WHERE app = ?1 AND customer = ? ORDER BY original_transaction_id
            """, customer.rawValue
        ) { row in
            let purchase = try customerPurchase(row, of: customer)
            // Skip the second row of a purchase with two products.
            if purchase.originalTransactionID != purchases.last?.originalTransactionID { purchases.append(purchase) }
        }
        return purchases
    }

    package func purchases(of customer: CustomerID, product: ProductID) throws -> [PurchaseRecord] {
        try all(
            """
            SELECT attribution, owner, entitlement FROM customer_purchase WHERE app = ?1 AND customer = ? AND product_id = ?
            ORDER BY original_transaction_id
            """, customer.rawValue, product.rawValue
        ) { try customerPurchase($0, of: customer) }
    }

    package func products(of customer: CustomerID) throws -> [ProductID] {
        // Find each next product in the primary key by recursion. For `min(product_id)`, PostgreSQL without statistics would read all
        // purchases.
        try all(
            """
            WITH RECURSIVE held (product) AS (
                SELECT (SELECT product_id FROM customer_purchase WHERE app = ?1 AND customer = ?2 ORDER BY product_id LIMIT 1)
                UNION ALL
                SELECT (SELECT product_id FROM customer_purchase WHERE app = ?1 AND customer = ?2 AND product_id > held.product
                    ORDER BY product_id LIMIT 1)
                FROM held WHERE held.product IS NOT NULL)
            SELECT product FROM held WHERE product IS NOT NULL
            """, customer.rawValue
        ) { ProductID(try $0["product"] as String) }
    }

    /// Returns a purchase from a row of `customer_purchase`.
    private func customerPurchase(_ row: any SQLRow, of customer: CustomerID) throws -> PurchaseRecord {
        try customerPurchase(
            of: customer, attribution: try row["attribution"], owner: try row["owner"], entitlement: try row["entitlement"])
    }

    /// Returns a purchase from the columns of a row of `customer_purchase`.
    package func customerPurchase(of customer: CustomerID, attribution: String, owner: String?, entitlement: String) throws
        -> PurchaseRecord
    {
        let owner = owner.map { CustomerID($0) }
        return PurchaseRecord(
            timeline: try record(entitlement), customer: owner ?? customer,
            attribution: PurchaseRecord.Attribution(rawValue: attribution), sharedWith: owner == nil ? [] : [customer])
    }

    private func customers(_ json: String) throws -> [CustomerID] { json == "[]" ? [] : try value(json) }
}

extension PurchaseRecord {
    /// The customers who have the purchase: the owner, and the customers with whom the purchase is shared.
    package var holders: Set<CustomerID> { Set([customer].compactMap { $0 } + sharedWith) }

    /// A row of `customer_purchase`, without the identifier of the purchase.
    fileprivate struct CustomerRow: Hashable {
        let holder: CustomerID
        let product: ProductID
    }

    /// The rows of `customer_purchase`: one for each holder and each product of the purchase.
    fileprivate var customerRows: Set<CustomerRow> {
        Set(holders.flatMap { holder in timeline.products.map { CustomerRow(holder: holder, product: $0) } })
    }
}
