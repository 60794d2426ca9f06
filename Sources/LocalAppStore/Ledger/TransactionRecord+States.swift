import PurchaseModel

extension TransactionRecord {
    /// States a period of a subscription.
    mutating func state(_ period: SubscriptionPeriod) {
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

    /// States that it was taken back.
    mutating func revoke(_ revocation: SubscriptionRevocation, reason: Int = 0, at now: Timestamp) {
        revokedAt = now.wholeSeconds
        revocationReason = reason
        revocationType = revocation.kind.rawValue
        revocationPercentage = revocation.percentage
    }

    /// States that it was not taken back.
    mutating func reinstate() {
        revokedAt = nil
        revocationReason = nil
        revocationType = nil
        revocationPercentage = nil
    }
}
