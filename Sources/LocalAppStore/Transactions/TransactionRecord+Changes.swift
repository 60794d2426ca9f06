import PurchaseModel

extension TransactionRecord {
    /// Copies the product, the dates, the price and the offer of a subscription period to the transaction.
    mutating func setPeriod(_ period: SubscriptionPeriod) {
        self.period = period.number
        productID = period.plan.productID
        reason = period.reason.rawValue
        purchaseDate = period.start
        expiresDate = period.end
        price = period.price.milliunits
        currency = period.price.currency
        offerType = period.offer?.offer.kind.rawValue
        offerID = period.offer?.offer.id
        offerMode = period.offer?.offer.mode.rawValue
        offerPeriod = period.offer?.offer.totalPeriod.iso8601
    }

    /// Marks the transaction as revoked.
    ///
    /// - Parameters:
    ///   - revocation: The type of the revocation and the refunded percentage.
    ///   - reason: The `revocationReason`: 1 for an issue within the app, otherwise 0.
    mutating func revoke(_ revocation: SubscriptionRevocation, reason: Int = 0, at now: Timestamp) {
        revokedAt = now.wholeSeconds
        revocationReason = reason
        revocationType = revocation.kind.rawValue
        revocationPercentage = revocation.percentage
    }

    /// Marks the transaction as no longer revoked.
    mutating func reinstate() {
        revokedAt = nil
        revocationReason = nil
        revocationType = nil
        revocationPercentage = nil
    }
}
