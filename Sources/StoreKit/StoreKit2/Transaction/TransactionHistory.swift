import Foundation

/// One transaction of an account's transaction history, with its verification result.
struct HistoryEntry: Sendable {
    /// The transaction with its verification result.
    let result: VerificationResult<Transaction>
    /// Whether the app has finished the transaction.
    let isFinished: Bool

    var transaction: Transaction { result.unsafePayloadValue }
}

/// An account's transaction history, from which StoreKit 2 selects transactions.
///
/// The entries are sorted by purchase date, oldest first.
struct TransactionHistory: Sendable {
    let entries: [HistoryEntry]
    /// Whether the history includes finished consumables (`SKIncludeConsumableInAppPurchaseHistory`).
    let includesFinishedConsumables: Bool

    /// The elements of `Transaction.all`: every transaction except finished consumables that were not revoked.
    var all: [HistoryEntry] {
        entries.filter { entry in
            includesFinishedConsumables || entry.transaction.productType != .consumable || !entry.isFinished
                || entry.transaction.revocationDate != nil
        }
    }

    /// Returns the elements of `Transaction.all(for:)`: those elements of ``all`` that belong to a product.
    func all(for productID: String) -> [HistoryEntry] {
        all.filter { $0.transaction.productID == productID }
    }

    /// Returns the result of `Transaction.latest(for:)`: the latest transaction of a product, revoked or not.
    func latest(for productID: String) -> HistoryEntry? {
        Self.newest(all(for: productID))
    }

    /// Returns the elements of `Transaction.currentEntitlements`, oldest first.
    ///
    /// The current entitlements are the latest transaction of each non-consumable, the latest transaction of each auto-renewable
    /// subscription that is subscribed or in the billing grace period, and every transaction of each non-renewing subscription,
    /// because the app decides when a non-renewing subscription ends. Revoked and upgraded transactions are excluded.
    ///
    /// - Parameter statuses: The current statuses of the account's subscriptions.
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

    /// Returns the latest entry; among entries with the same purchase date, the entry with the highest transaction identifier.
    private static func newest(_ entries: [HistoryEntry]) -> HistoryEntry? {
        entries.max { isOlder($0, $1) }
    }

    /// Returns whether an entry is older than another, by purchase date, and then by transaction identifier.
    static func isOlder(_ one: HistoryEntry, _ other: HistoryEntry) -> Bool {
        (one.transaction.purchaseDate, one.transaction.id) < (other.transaction.purchaseDate, other.transaction.id)
    }
}
