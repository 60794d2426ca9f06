package import PurchaseModel

extension VerifyReceiptBody {
    /// The `receipt` object of Apple's `verifyReceipt` for a receipt, without `request_date`.
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
    /// An element of `in_app` of Apple's `verifyReceipt` for a purchase.
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
