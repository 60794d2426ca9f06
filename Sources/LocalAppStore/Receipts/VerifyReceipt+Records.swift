import PurchaseModel

extension VerifyReceiptPurchase {
    /// The members of a transaction in `in_app` or `latest_receipt_info`.
    init(_ row: TransactionRecord, inReceipt: Bool) {
        self.init(quantity: row.quantity, productID: row.productID, transactionID: row.id, originalTransactionID: row.originalID)
        purchaseDate = DateTriplet(row.purchaseDate)
        originalPurchaseDate = DateTriplet(row.originalPurchaseDate)
        expiresDate = row.expiresDate.map { DateTriplet($0) }
        // An upgrade cancels the remaining period; only `latest_receipt_info` states this cancellation, and the receipt's own list does
        // not.
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
    /// Whether the period is a free trial.
    var isTrialPeriod: Bool { offerMode == OfferDiscountType.freeTrial.rawValue }
    /// Whether the period is a paid period of an introductory offer.
    var isInIntroOfferPeriod: Bool { offerType == OfferType.introductory.rawValue && !isTrialPeriod }
}

extension VerifyReceiptRenewal {
    /// The members of a subscription in `pending_renewal_info`.
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
