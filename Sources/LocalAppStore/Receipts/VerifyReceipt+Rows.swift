import PurchaseModel

extension VerifyReceiptPurchase {
    /// What `in_app` or `latest_receipt_info` says of a transaction.
    init(_ row: TransactionRow, inReceipt: Bool) {
        self.init(quantity: row.quantity, productID: row.productID, transactionID: row.id, originalTransactionID: row.originalID)
        purchaseDate = DateTriplet(row.purchaseDate)
        originalPurchaseDate = DateTriplet(row.originalPurchaseDate)
        expiresDate = row.expiresDate.map { DateTriplet($0) }
        cancellationDate = row.revokedAt.map { DateTriplet($0) }
        cancellationReason = row.revokedAt.map { _ in "0" }
        webOrderLineItemID = row.webOrderLineItemID
        subscriptionGroupIdentifier = inReceipt ? nil : row.groupID
        ownershipType = row.ownership.rawValue
    }
}

extension VerifyReceiptRenewal {
    /// What `pending_renewal_info` says of a subscription.
    init(_ subscription: Subscription) {
        self.init(
            productID: subscription.productID,
            originalTransactionID: subscription.originalTransactionID,
            autoRenewStatus: subscription.willRenew ? "1" : "0"
        )
        expirationIntent = subscription.expirationIntent.map { String($0.rawValue) }
        isInBillingRetryPeriod = subscription.isInBillingRetry.map { $0 ? "1" : "0" }
        gracePeriodExpiresDate = subscription.graceUntil.map { DateTriplet($0) }
    }
}
