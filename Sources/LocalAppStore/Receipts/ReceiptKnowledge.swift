import PurchaseModel

/// What the ledger knows of the account behind a receipt.
struct ReceiptKnowledge: Sendable {
    /// The transactions that the receipt lists, as they stand now.
    var listed: [TransactionRecord] = []
    /// What a receipt made now would list.
    var latest: [TransactionRecord] = []
    /// The account's subscriptions.
    var subscriptions: [SubscriptionRecord] = []
    /// The device of the receipt; nil when the receipt lists nothing and so belongs to nobody in particular.
    var holder: DeviceID?

    /// What `latest_receipt_info` lists, newest first: every transaction but finished consumables.
    var newestFirst: [TransactionRecord] { latest.reversed() }

    /// The same with only the newest paid period of each subscription.
    var withoutOldPeriods: [TransactionRecord] {
        var seen: Set<TransactionID> = []
        return newestFirst.filter { $0.type != .autoRenewable || seen.insert($0.originalID).inserted }
    }
}
