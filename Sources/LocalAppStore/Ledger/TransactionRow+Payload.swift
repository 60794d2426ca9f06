import PurchaseModel

extension TransactionRow {
    /// What a signed transaction says of this row.
    func payload(bundleID: BundleID, storefront: Storefront, signedDate: Timestamp) -> TransactionPayload {
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
            environment: LocalAppStore.environment.rawValue
        )
        payload.webOrderLineItemId = webOrderLineItemID
        payload.subscriptionGroupIdentifier = groupID
        payload.expiresDate = expiresDate
        payload.appAccountToken = appAccountToken
        payload.revocationDate = revokedAt
        payload.revocationReason = revokedAt == nil ? nil : 0
        payload.storefront = storefront.countryCode
        payload.storefrontId = storefront.id
        payload.transactionReason = reason
        payload.price = price
        payload.currency = currency
        return payload
    }
}
