extension VerifyReceiptPurchase {
    /// Creates the entry for a signed transaction in a `verifyReceipt` response.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - upgradedAt: The date when an upgrade replaced the subscription period; nil if no upgrade did.
    ///   - inReceipt: Whether the entry is in `in_app` of the receipt; with false, it is in `latest_receipt_info`, which has more members.
    package init(_ transaction: TransactionPayload, upgradedAt: Timestamp? = nil, inReceipt: Bool) {
        self.init(
            quantity: transaction.quantity, productID: transaction.productId, transactionID: transaction.transactionId,
            originalTransactionID: transaction.originalTransactionId)
        purchaseDate = DateTriplet(transaction.purchaseDate)
        originalPurchaseDate = DateTriplet(transaction.originalPurchaseDate)
        expiresDate = transaction.expiresDate.map { DateTriplet($0) }
        // An upgrade cancels the rest of the subscription period, which `latest_receipt_info` states and `in_app` does not.
        let upgradedAt = transaction.movedToBundleDate ?? upgradedAt
        setCancellation(transaction.refundDate ?? (inReceipt ? nil : upgradedAt), reason: transaction.refundReason)
        webOrderLineItemID = transaction.webOrderLineItemId
        isTrialPeriod = transaction.isTrialPeriod
        isInIntroOfferPeriod = transaction.isInIntroOfferPeriod
        promotionalOfferID = transaction.offerType == OfferType.promotional.rawValue ? transaction.offerIdentifier : nil
        ownershipType = transaction.inAppOwnershipType
        guard !inReceipt else { return }
        subscriptionGroupIdentifier = transaction.subscriptionGroupIdentifier
        offerCodeRefName = transaction.offerType == OfferType.code.rawValue ? transaction.offerIdentifier : nil
        isUpgraded = transaction.isUpgraded == true || transaction.movedToBundleDate != nil
        appAccountToken = transaction.appAccountToken
    }

    /// Sets or removes the date of the cancellation, and its reason, which is 0 if it is unknown.
    package mutating func setCancellation(_ date: Timestamp?, reason: Int?) {
        cancellationDate = date.map { DateTriplet($0) }
        cancellationReason = date.map { _ in String(reason ?? 0) }
    }
}

extension TransactionPayload {
    /// The date on which a bundle replaced the subscription; nil without a bundle.
    ///
    /// Receipts state no bundles, so that a replaced period counts as an upgraded one there, which is an assumption.
    package var movedToBundleDate: Timestamp? { reasonOfRevocation == .upgradedToBundle ? revocationDate : nil }
    /// The date of the cancellation in a receipt; nil without a refund.
    package var refundDate: Timestamp? { movedToBundleDate == nil ? revocationDate : nil }
    /// The reason of the cancellation in a receipt; nil without a refund.
    package var refundReason: Int? { movedToBundleDate == nil ? revocationReason : nil }

    /// Whether the subscription period is a free trial.
    package var isTrialPeriod: Bool { offerDiscountType == OfferDiscountType.freeTrial.rawValue }
    /// Whether the subscription period has the price of an introductory offer that is not a free trial.
    package var isInIntroOfferPeriod: Bool { offerType == OfferType.introductory.rawValue && !isTrialPeriod }

    /// The members that `verifyReceipt` returns about the transaction of a transaction receipt (iOS 6): one object whose values are texts.
    ///
    /// The members about the app and the device are not part of a signed transaction.
    ///
    /// - Parameter upgradedAt: The date when an upgrade replaced the subscription period; nil if no upgrade did.
    package func transactionReceiptMembers(upgradedAt: Timestamp? = nil) -> [String: String] {
        var members = [
            "transaction_id": transactionId.rawValue, "original_transaction_id": originalTransactionId.rawValue,
            "product_id": productId.rawValue, "quantity": String(quantity), "bid": bundleId.rawValue,
            "is_trial_period": isTrialPeriod ? "true" : "false",
        ]
        members["in_app_ownership_type"] = inAppOwnershipType
        members.merge(DateTriplet(purchaseDate).members(named: "purchase_date")) { $1 }
        members.merge(DateTriplet(originalPurchaseDate).members(named: "original_purchase_date")) { $1 }
        if let canceled = revocationDate ?? upgradedAt {
            members.merge(DateTriplet(canceled).members(named: "cancellation_date")) { $1 }
            members["cancellation_reason"] = String(refundReason ?? 0)
        }
        guard let expiresDate else { return members }
        let end = DateTriplet(expiresDate).members(named: "end")
        // Unlike the other dates, `expires_date` contains milliseconds since 1970 and has no suffix `_ms`.
        members["expires_date"] = end["end_ms"]
        members["expires_date_formatted"] = end["end"]
        members["expires_date_formatted_pst"] = end["end_pst"]
        members["web_order_line_item_id"] = webOrderLineItemId
        members["subscription_group_identifier"] = subscriptionGroupIdentifier?.rawValue
        members["is_in_intro_offer_period"] = isInIntroOfferPeriod ? "true" : "false"
        return members
    }
}

extension VerifyReceiptRenewal {
    /// Creates the entry for a subscription in `pending_renewal_info` of a `verifyReceipt` response.
    package init(_ renewal: RenewalInfoPayload) {
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
