import Foundation

/// One transaction of an account's history, as StoreKit 2 may show it.
struct HistoryEntry: Sendable {
    /// The transaction with its verification result.
    let result: VerificationResult<Transaction>
    /// Whether the app has finished the transaction.
    let isFinished: Bool

    var transaction: Transaction { result.unsafePayloadValue }
}

/// The selections of StoreKit 2 from an account's transaction history, which is sorted oldest first.
struct TransactionHistory: Sendable {
    let entries: [HistoryEntry]
    /// Whether finished consumables stay in the history (`SKIncludeConsumableInAppPurchaseHistory`).
    let includesFinishedConsumables: Bool

    /// The elements of `Transaction.all`: every transaction except finished, unrevoked consumables.
    var all: [HistoryEntry] {
        entries.filter { entry in
            includesFinishedConsumables || entry.transaction.productType != .consumable || !entry.isFinished
                || entry.transaction.revocationDate != nil
        }
    }

    /// The elements of `Transaction.all(for:)`.
    func all(for productID: String) -> [HistoryEntry] {
        all.filter { $0.transaction.productID == productID }
    }

    /// The result of `Transaction.latest(for:)`: the latest transaction of a product, in any state.
    func latest(for productID: String) -> HistoryEntry? {
        Self.newest(all(for: productID))
    }

    /// The elements of `Transaction.currentEntitlements`, oldest first.
    ///
    /// The current entitlements are the latest transaction of each non-consumable, the latest transaction of each auto-renewable
    /// subscription that is subscribed or in the billing grace period, and every transaction of each non-renewing subscription,
    /// because the app decides when a non-renewing subscription ends. Revoked and upgraded transactions are excluded.
    func currentEntitlements(_ statuses: [Product.SubscriptionInfo.Status]) -> [VerificationResult<Transaction>] {
        let kept = entries.filter { $0.transaction.revocationDate == nil }
        let owned = kept.filter { $0.transaction.productType == .nonConsumable }
        let nonRenewing = kept.filter { $0.transaction.productType == .nonRenewable }
        let subscribed = statuses.filter { [.subscribed, .inGracePeriod].contains($0.state) }
            .map { HistoryEntry(result: $0.transaction, isFinished: false) }
            .filter { $0.transaction.revocationDate == nil && !$0.transaction.isUpgraded }
        let byProduct = Dictionary(grouping: owned + subscribed) { $0.transaction.productID }
        return (byProduct.values.compactMap(Self.newest) + nonRenewing).sorted { Self.isOlder($0, $1) }.map(\.result)
    }

    /// The latest entry; of several with the same purchase date, the one with the highest identifier.
    private static func newest(_ entries: [HistoryEntry]) -> HistoryEntry? {
        entries.max { isOlder($0, $1) }
    }

    /// Whether an entry precedes another: by purchase date, then by identifier.
    static func isOlder(_ one: HistoryEntry, _ other: HistoryEntry) -> Bool {
        (one.transaction.purchaseDate, one.transaction.id) < (other.transaction.purchaseDate, other.transaction.id)
    }
}
