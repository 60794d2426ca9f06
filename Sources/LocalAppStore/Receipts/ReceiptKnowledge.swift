import PurchaseModel

/// What the ledger knows of the account behind a receipt.
struct ReceiptKnowledge: Sendable {
    /// The transactions that the receipt lists, as they stand now.
    var listed: [TransactionRow] = []
    /// What a receipt made now would list.
    var latest: [TransactionRow] = []
    /// The account's subscriptions.
    var subscriptions: [SubscriptionRow] = []
    /// The device of the receipt; nil when the receipt lists nothing and so belongs to nobody in particular.
    var holder: DeviceID?

    /// The paid periods of all subscriptions, newest first.
    var periods: [TransactionRow] {
        latest.filter { $0.expiresDate != nil }.reversed()
    }

    /// The newest paid period of each subscription.
    var newestPeriods: [TransactionRow] {
        var seen: Set<TransactionID> = []
        return periods.filter { seen.insert($0.originalID).inserted }
    }
}
