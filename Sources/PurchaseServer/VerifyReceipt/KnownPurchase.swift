import PurchaseModel

/// What the server knows about one purchase, for a response of `verifyReceipt`.
struct KnownPurchase: Sendable {
    /// The newest version of each transaction of the purchase.
    let transactions: [SignedEvent]
    /// The newest renewal info of a subscription; nil if the server has none.
    var renewal: RenewalInfoPayload?
    /// Whether the latest period has ended, and nothing that the server knows states whether the subscription was renewed.
    var isContinuationUnknown = false
}

extension StorageTransaction {
    /// Returns what the server knows about a purchase; nil for an unknown purchase.
    ///
    /// The cost grows with the number of transactions of the purchase.
    func knownPurchase(
        _ id: TransactionID, in environment: AppEnvironment, catalog: Catalog, at now: Timestamp
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
        // An entitlement without a product that it renews to has ended by the customer's decision.
        if case .active(let end) = entitlement.state, end <= now, entitlement.renewsTo != nil {
            purchase.isContinuationUnknown = try lookup(of: id)?.askedAt.map { $0 < end } ?? true
        }
        return purchase
    }

    /// Returns the purchases that belong to the owners of some purchases and were made with the same App Store accounts.
    ///
    /// An account is recognized by the `appTransactionId` of signed transactions. Consumables are not returned, because only the App Store
    /// knows whether they are finished.
    func furtherPurchases(
        of known: [TransactionID: KnownPurchase], in environment: AppEnvironment, catalog: Catalog
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
    /// Whether the transaction is a period of an auto-renewable subscription; a receipt does not always state the type of its products.
    var isSubscription: Bool { productType == .autoRenewable || productType == nil && expiresDate != nil }
}
