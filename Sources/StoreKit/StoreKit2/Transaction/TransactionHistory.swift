import Foundation

/// One transaction of an account's history, as StoreKit 2 may show it.
struct HistoryEntry: Sendable {
    /// The transaction, and what its verification found.
    let result: VerificationResult<Transaction>
    /// Whether the app has delivered it.
    let isFinished: Bool

    var transaction: Transaction { result.unsafePayloadValue }
}

/// Which transactions StoreKit 2 shows where.
///
/// Pure rules over an account's history, oldest first; the same rules as the App Store's.
struct TransactionHistory: Sendable {
    let entries: [HistoryEntry]
    /// Whether consumables that were delivered stay in the history (`SKIncludeConsumableInAppPurchaseHistory`).
    let includesFinishedConsumables: Bool

    /// What `all` shows: everything but consumables that were delivered and kept.
    var all: [HistoryEntry] {
        entries.filter { entry in
            includesFinishedConsumables || entry.transaction.productType != .consumable || !entry.isFinished
                || entry.transaction.revocationDate != nil
        }
    }

    /// What `all(for:)` shows.
    func all(for productID: String) -> [HistoryEntry] {
        all.filter { $0.transaction.productID == productID }
    }

    /// What `latest(for:)` shows: the newest of a product, in whatever state it is.
    func latest(for productID: String) -> HistoryEntry? {
        Self.newest(all(for: productID))
    }

    /// What `currentEntitlements` shows: the newest of each product by which the customer may use something now, and all of a
    /// non-renewing subscription, whose end the app decides; oldest first.
    ///
    /// Never a consumable, never what was taken back. A subscription counts while its state is subscribed or in grace period.
    func currentEntitlements(_ statuses: [Product.SubscriptionInfo.Status]) -> [VerificationResult<Transaction>] {
        let kept = entries.filter { $0.transaction.revocationDate == nil }
        let owned = kept.filter { $0.transaction.productType == .nonConsumable }
        let limited = kept.filter { $0.transaction.productType == .nonRenewable }
        let subscribed = statuses.filter { [.subscribed, .inGracePeriod].contains($0.state) }
            .map { HistoryEntry(result: $0.transaction, isFinished: false) }
            .filter { $0.transaction.revocationDate == nil && !$0.transaction.isUpgraded }
        let byProduct = Dictionary(grouping: owned + subscribed) { $0.transaction.productID }
        return (byProduct.values.compactMap(Self.newest) + limited).sorted { Self.isOlder($0, $1) }.map(\.result)
    }

    /// The newest; of several of the same time the one with the highest number.
    private static func newest(_ entries: [HistoryEntry]) -> HistoryEntry? {
        entries.max { isOlder($0, $1) }
    }

    /// Which of two was bought first.
    static func isOlder(_ one: HistoryEntry, _ other: HistoryEntry) -> Bool {
        (one.transaction.purchaseDate, one.transaction.id) < (other.transaction.purchaseDate, other.transaction.id)
    }
}
