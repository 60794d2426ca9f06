import PurchaseModel
import PurchaseStorage

/// The server's data about one purchase, for a response of `verifyReceipt`.
struct KnownPurchase: Sendable {
    /// The newest version of each transaction of the purchase.
    let transactions: [SignedEvent]
    /// The newest renewal info of a subscription; nil if the server has none.
    var renewal: RenewalInfoPayload?
    /// Whether the latest period has ended, and the renewal of the subscription is unconfirmed.
    var isContinuationUnknown = false
}

extension StorageTransaction {
    /// Returns the server's data about a purchase; nil for an unknown purchase.
    ///
    /// The cost grows with the number of transactions of the purchase.
    func knownPurchase(
        _ id: TransactionID, in environment: AppEnvironment, catalog: ProductCatalog, at now: Timestamp
    ) throws -> KnownPurchase? {
        let events = try transactions(of: id).filter { environment.canBe($0.transaction.environment) }
        guard !events.isEmpty else { return nil }
        var purchase = KnownPurchase(
            transactions: events.map { event in
                var typed = event
                typed.transaction = event.transaction.typed(by: catalog)
                return typed
            })
        guard purchase.transactions.contains(where: \.transaction.isSubscription), let deciding = try decidingEvents(of: id) else {
            return purchase
        }
        purchase.renewal = deciding.renewal?.renewal
        let entitlement = EntitlementProjection.timeline(from: deciding).latest
        // Skip a subscription without `renewsTo`, because the subscription does not renew.
        if case .active(let end) = entitlement.state, end <= now, entitlement.renewsTo != nil {
            purchase.isContinuationUnknown = try lookup(of: id)?.askedAt.map { $0 < end } ?? true
        }
        return purchase
    }

    /// Returns the other purchases of the known purchases' customers and App Store accounts.
    ///
    /// The `appTransactionId` of signed transactions identifies an account. The result omits purchases of the customer with other accounts,
    /// so that a copied receipt does not disclose these purchases. The result omits consumables, because the server has no record of the
    /// consumables that the app has finished.
    func furtherPurchases(
        of known: [TransactionID: KnownPurchase], in environment: AppEnvironment, catalog: ProductCatalog
    ) throws -> [TransactionID] {
        let accounts = Set(known.values.flatMap(\.transactions).compactMap(\.transaction.appTransactionId))
        guard !accounts.isEmpty else { return [] }
        let lasting = known.filter { $0.value.transactions.contains { $0.transaction.productType != .consumable } }
        let owners = Set(try lasting.keys.compactMap { try purchase($0)?.customer })
        return try owners.sorted().flatMap { try purchases(of: $0) }.filter { record in
            let entitlement = record.entitlement
            guard known[record.originalTransactionID] == nil, environment.canBe(entitlement.environment),
                (entitlement.productType ?? catalog[entitlement.productID]?.type) != .consumable
            else { return false }
            let newest = try transaction(entitlement.transactionID, of: record.originalTransactionID)?.transaction
            return newest?.appTransactionId.map(accounts.contains) ?? false
        }.map(\.originalTransactionID)
    }
}

extension TransactionPayload {
    /// Whether the transaction is a period of an auto-renewable subscription; without a product type, an expiration date indicates a
    /// period.
    var isSubscription: Bool { productType == .autoRenewable || productType == nil && expiresDate != nil }
}
