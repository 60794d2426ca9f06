import PurchaseModel

extension TransactionRecord {
    /// The ownership type: purchased by the account, or shared by a family member.
    var ownership: Ownership { purchaserTransactionID == nil ? .purchased : .familyShared }

    /// Returns the payload for the signed transaction (`JWSTransaction`).
    func payload(signedDate: Timestamp) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id,
            originalTransactionId: originalID,
            bundleId: bundleID,
            productId: productID,
            purchaseDate: purchaseDate,
            originalPurchaseDate: originalPurchaseDate,
            quantity: quantity,
            type: type.rawValue,
            signedDate: signedDate,
            environment: environment.rawValue
        )
        payload.webOrderLineItemId = webOrderLineItemID
        payload.subscriptionGroupIdentifier = groupID
        payload.expiresDate = expiresDate
        payload.appAccountToken = appAccountToken
        payload.inAppOwnershipType = ownership.rawValue
        payload.revocationDate = revokedAt
        payload.revocationReason = revokedAt == nil ? nil : revocationReason ?? 0
        payload.revocationType = revocationType
        payload.revocationPercentage = revocationPercentage
        payload.isUpgraded = upgradedAt == nil ? nil : true
        payload.offerType = offerType
        payload.offerIdentifier = offerID
        payload.offerDiscountType = offerMode
        payload.offerPeriod = offerPeriod
        payload.storefront = storefront
        payload.storefrontId = Storefront(countryCode: storefront)?.id
        payload.transactionReason = reason
        if purchaserTransactionID == nil {
            // A Family Sharing transaction does not state a price.
            payload.price = price
            payload.currency = currency
        }
        payload.appTransactionId = appTransactionID.isEmpty ? nil : appTransactionID
        return payload
    }
}
