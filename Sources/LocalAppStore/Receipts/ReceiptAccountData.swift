import PurchaseModel

/// The ledger's current data about the account of a receipt.
struct ReceiptAccountData: Sendable {
    /// The receipt's transactions, in their current state.
    var inApp: [TransactionRecord] = []
    /// The transactions of a new receipt of the account.
    var latest: [TransactionRecord] = []
    /// The account's subscriptions.
    var subscriptions: [SubscriptionRecord] = []
    /// The device of the receipt; nil for a receipt without transactions, which identifies no device.
    var device: DeviceID?

    /// The transactions of `latest_receipt_info`, newest first: all transactions except finished consumables.
    var newestFirst: [TransactionRecord] { latest.reversed() }

    /// The transactions of `latest_receipt_info`, with only the newest paid period of each subscription.
    var withoutOldPeriods: [TransactionRecord] {
        var seen: Set<TransactionID> = []
        return newestFirst.filter { $0.type != .autoRenewable || seen.insert($0.originalID).inserted }
    }
}
