public import PurchaseModel

/// The purchases, the granted entitlements and the seats of a customer.
public struct CustomerHoldings: Hashable, Sendable {
    /// The target of the customer's merge; nil for a customer who was not merged, or who has no record.
    public var mergedInto: CustomerID?
    /// The purchases that belong to the customer or are shared with the customer, sorted by product and identifier.
    public var purchases: [PurchaseRecord]
    /// The grants, oldest first, including expired and revoked grants.
    public var grants: [EntitlementGrant]
    /// The seats in teams, including ended ones, sorted by team and request identifier.
    public var seats: [CustomerSeat]

    /// Creates holdings.
    public init(
        mergedInto: CustomerID? = nil, purchases: [PurchaseRecord] = [], grants: [EntitlementGrant] = [], seats: [CustomerSeat] = []
    ) {
        self.mergedInto = mergedInto
        self.purchases = purchases
        self.grants = grants
        self.seats = seats
    }

    /// Sorts the purchases, the grants and the seats.
    fileprivate mutating func sort() {
        purchases.sort { ($0.entitlement.productID, $0.originalTransactionID) < ($1.entitlement.productID, $1.originalTransactionID) }
        grants.sort { ($0.grantedAt, $0.entitlement.rawValue) < ($1.grantedAt, $1.entitlement.rawValue) }
        seats.sort { ($0.team.rawValue, $0.requestIdentifier) < ($1.team.rawValue, $1.requestIdentifier) }
    }
}

extension StorageTransaction {
    /// Returns a customer's holdings, with one read for each part.
    public func holdings(of customer: CustomerID, limit: Int, of includes: (ProductID) -> Bool) throws -> CustomerHoldings? {
        let purchases = try purchases(of: customer)
        guard purchases.count <= limit else { return nil }
        var holdings = CustomerHoldings(
            mergedInto: try self.customer(customer)?.mergedInto,
            purchases: purchases.filter { $0.timeline.products.contains(where: includes) },
            grants: try grants(of: customer), seats: try seats(of: customer))
        holdings.sort()
        return holdings
    }
}

extension SQLTransaction {
    /// The query that returns a customer's rows of four tables; the key of each table contains the customer.
    private static let holdings = """
        SELECT 'customer' AS part, merged_into AS name, NULL AS product_id, NULL AS owner, NULL AS text,
            CAST(NULL AS BIGINT) AS granted_at, CAST(NULL AS BIGINT) AS until, CAST(NULL AS BIGINT) AS revoked_at
        FROM customer WHERE app = ?1 AND customer = ?2
        UNION ALL
        SELECT 'grant', entitlement, NULL, NULL, reason, granted_at, until, revoked_at
        FROM entitlement_grant WHERE app = ?1 AND customer = ?2
        UNION ALL
        SELECT 'seat', request_identifier, NULL, end_reason, (SELECT entitlement FROM purchase
            WHERE app = ?1 AND original_transaction_id = seat.original_transaction_id), claimed_at, NULL, ended_at
        FROM customer_seat AS seat WHERE app = ?1 AND customer = ?2
        UNION ALL
        SELECT 'purchase', attribution, product_id, owner, entitlement, NULL, NULL, NULL FROM (
            SELECT attribution, product_id, owner, entitlement FROM customer_purchase
            WHERE app = ?1 AND customer = ?2 ORDER BY product_id, original_transaction_id LIMIT ?3) AS few
        """

    package func holdings(of customer: CustomerID, limit: Int, of includes: (ProductID) -> Bool) throws -> CustomerHoldings? {
        var (holdings, purchases) = (CustomerHoldings(), 0)
        _ = try all(Self.holdings, customer.rawValue, limit + 1) { row in
            let name: String? = try row["name"]
            switch try row["part"] as String {
            case "customer": holdings.mergedInto = name.map { CustomerID($0) }
            case "grant":
                holdings.grants.append(
                    EntitlementGrant(
                        customer: customer, entitlement: EntitlementName(name ?? ""),
                        grantedAt: Timestamp(milliseconds: try row["granted_at"]),
                        until: (try row["until"] as Int64?).map { Timestamp(milliseconds: $0) }, reason: try row["text"],
                        revokedAt: (try row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) }))
            case "seat":
                let seat = try customerSeat(
                    name ?? "", entitlement: row["text"],
                    claimedAt: (try row["granted_at"] as Int64?).map { Timestamp(milliseconds: $0) },
                    endedAt: (try row["revoked_at"] as Int64?).map { Timestamp(milliseconds: $0) }, reason: row["owner"])
                if let seat { holdings.seats.append(seat) }
            default:
                purchases += 1
                guard includes(ProductID(try row["product_id"] as String)) else { return }
                let purchase = try customerPurchase(
                    of: customer, attribution: name ?? "", owner: try row["owner"], entitlement: try row["text"])
                // Skip the second row of a purchase with two products.
                if purchase.timeline.preceding != nil, holdings.purchases.contains(purchase) { return }
                holdings.purchases.append(purchase)
            }
        }
        guard purchases <= limit else { return nil }
        // Sort the holdings, because the rows of a union have no order.
        holdings.sort()
        return holdings
    }
}
