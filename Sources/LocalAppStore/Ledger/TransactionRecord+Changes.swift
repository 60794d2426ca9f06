import PurchaseModel

extension TransactionRecord {
    /// Sets the properties of a subscription period.
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

    /// Sets the properties of a revocation.
    mutating func revoke(_ revocation: SubscriptionRevocation, reason: Int = 0, at now: Timestamp) {
        revokedAt = now.wholeSeconds
        revocationReason = reason
        revocationType = revocation.kind.rawValue
        revocationPercentage = revocation.percentage
    }

    /// Removes the properties of a revocation.
    mutating func reinstate() {
        revokedAt = nil
        revocationReason = nil
        revocationType = nil
        revocationPercentage = nil
    }
}
