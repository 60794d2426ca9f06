import PurchaseModel

extension VerifyReceiptPurchase {
    /// Creates the entry for a transaction in a `verifyReceipt` response.
    ///
    /// - Parameter inReceipt: Whether the entry is in `in_app` of the receipt; with false, it is in `latest_receipt_info`, which has more
    ///   members.
    init(_ row: TransactionRecord, inReceipt: Bool) {
        self.init(quantity: row.quantity, productID: row.productID, transactionID: row.id, originalTransactionID: row.originalID)
        purchaseDate = DateTriplet(row.purchaseDate)
        originalPurchaseDate = DateTriplet(row.originalPurchaseDate)
        expiresDate = row.expiresDate.map { DateTriplet($0) }
        // An upgrade cancels the rest of the subscription period, which `latest_receipt_info` states and `in_app` does not.
        let cancelled = row.revokedAt ?? (inReceipt ? nil : row.upgradedAt)
        cancellationDate = cancelled.map { DateTriplet($0) }
        cancellationReason = cancelled.map { _ in String(row.revocationReason ?? 0) }
        webOrderLineItemID = row.webOrderLineItemID
        isTrialPeriod = row.isTrialPeriod
        isInIntroOfferPeriod = row.isInIntroOfferPeriod
        promotionalOfferID = row.offerType == OfferType.promotional.rawValue ? row.offerID : nil
        ownershipType = row.ownership.rawValue
        guard !inReceipt else { return }
        subscriptionGroupIdentifier = row.groupID
        offerCodeRefName = row.offerType == OfferType.code.rawValue ? row.offerID : nil
        isUpgraded = row.upgradedAt != nil
        appAccountToken = row.appAccountToken
    }
}

extension TransactionRecord {
    /// Whether the subscription period is a free trial.
    var isTrialPeriod: Bool { offerMode == OfferDiscountType.freeTrial.rawValue }
    /// Whether the subscription period has the price of an introductory offer that is not a free trial.
    var isInIntroOfferPeriod: Bool { offerType == OfferType.introductory.rawValue && !isTrialPeriod }
}

extension VerifyReceiptRenewal {
    /// Creates the entry for a subscription in `pending_renewal_info` of a `verifyReceipt` response.
    init(_ renewal: RenewalInfoPayload) {
        self.init(
            productID: renewal.productId ?? "", originalTransactionID: renewal.originalTransactionId,
            autoRenewStatus: renewal.autoRenewStatus == 1 ? "1" : "0"
        )
        autoRenewProductID = renewal.autoRenewProductId ?? productID
        expirationIntent = renewal.expirationIntent.map { String($0) }
        isInBillingRetryPeriod = renewal.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        gracePeriodExpiresDate = renewal.gracePeriodExpiresDate.map { DateTriplet($0) }
        priceIncreaseStatus = renewal.priceIncreaseStatus.map { String($0) }
        priceConsentStatus = priceIncreaseStatus
        promotionalOfferID = renewal.offerType == OfferType.promotional.rawValue ? renewal.offerIdentifier : nil
        offerCodeRefName = renewal.offerType == OfferType.code.rawValue ? renewal.offerIdentifier : nil
    }
}
