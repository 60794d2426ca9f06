import PurchaseModel

extension VerifyReceiptPurchase {
    /// Creates the entry for a transaction in a `verifyReceipt` response.
    init(_ row: TransactionRecord, inReceipt: Bool) {
        self.init(row.payload(signedDate: row.purchaseDate), upgradedAt: row.upgradedAt, inReceipt: inReceipt)
    }
}

/// The store's current data about the account to which a receipt belongs, for a `verifyReceipt` response.
struct ReceiptAccountData: Sendable {
    /// The current state of the transactions that the receipt contains.
    var inApp: [TransactionRecord] = []
    /// The transactions that a new receipt of the account contains, oldest first: all except finished consumables.
    var latest: [TransactionRecord] = []
    /// The account's subscriptions in the receipt's app.
    var subscriptions: [SubscriptionRecord] = []
    /// The device to which the receipt belongs; nil for a receipt without transactions, whose device is unknown.
    var device: DeviceID?

    /// The transactions of `latest_receipt_info`, newest first.
    var newestFirst: [TransactionRecord] { latest.reversed() }

    /// The transactions of `latest_receipt_info`, newest first, with only the newest period of each subscription.
    ///
    /// A request with `exclude-old-transactions` gets these transactions.
    var withoutOldPeriods: [TransactionRecord] {
        var seen: Set<TransactionID> = []
        return newestFirst.filter { $0.type != .autoRenewable || seen.insert($0.originalID).inserted }
    }
}

extension ReceiptInfoOrder {
    /// Returns transactions in this order; `rows` must be sorted newest first.
    func sort(_ rows: [TransactionRecord]) -> [TransactionRecord] {
        switch self {
        case .descending: rows
        case .ascending: rows.reversed()
        // Transaction identifiers are sequential, so sorting by the reversed digits results in an order on which no client can rely.
        case .shuffled: rows.sorted { String($0.id.rawValue.reversed()) < String($1.id.rawValue.reversed()) }
        }
    }
}
