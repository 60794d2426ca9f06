package import PurchaseModel

extension VerifyReceiptBody {
    /// Creates the `receipt` object of a response from Apple's `verifyReceipt` endpoint, without `request_date`, from a receipt.
    package init(receipt: ReceiptPayload) {
        self.init(
            receiptType: receipt.receiptType, bundleID: receipt.bundleID, applicationVersion: receipt.appVersion,
            inApp: receipt.purchases.map { VerifyReceiptPurchase(purchase: $0) }
        )
        adamID = receipt.appAppleID ?? 0
        appItemID = receipt.appAppleID ?? 0
        downloadID = receipt.downloadID
        versionExternalIdentifier = receipt.versionExternalID
        receiptCreationDate = DateTriplet(receipt.creationDate)
        originalPurchaseDate = receipt.originalPurchaseDate.map { DateTriplet($0) }
        originalApplicationVersion = receipt.originalAppVersion
        preorderDate = receipt.preorderDate.map { DateTriplet($0) }
        expirationDate = receipt.expirationDate.map { DateTriplet($0) }
    }
}

extension VerifyReceiptPurchase {
    /// Creates an element of `in_app` in a response from Apple's `verifyReceipt` endpoint, from a purchase of a receipt.
    package init(purchase: ReceiptPurchase) {
        self.init(
            quantity: purchase.quantity, productID: purchase.productID, transactionID: purchase.transactionID,
            originalTransactionID: purchase.originalTransactionID
        )
        purchaseDate = DateTriplet(purchase.purchaseDate)
        originalPurchaseDate = DateTriplet(purchase.originalPurchaseDate)
        expiresDate = purchase.expiresDate.map { DateTriplet($0) }
        cancellationDate = purchase.cancellationDate.map { DateTriplet($0) }
        cancellationReason = purchase.cancellationReason.map { String($0) }
        webOrderLineItemID = purchase.webOrderLineItemID
        isTrialPeriod = purchase.isTrialPeriod ?? false
        isInIntroOfferPeriod = purchase.isInIntroOfferPeriod ?? false
        promotionalOfferID = purchase.promotionalOfferID
        ownershipType = purchase.ownership.map { $0 == 1 ? "FAMILY_SHARED" : "PURCHASED" }
    }
}
