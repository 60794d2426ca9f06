import PurchaseModel

extension Subscription {
    /// Why it ended; nil while there is access, and after a refund.
    var expirationIntent: ExpirationIntent? {
        switch state {
        case .active, .gracePeriod, .revoked: nil
        case .billingRetry: .billingError
        case .expired(let intent): intent
        }
    }

    /// Whether the store is still trying to charge; nil when no renewal failed.
    var isInBillingRetry: Bool? {
        switch state {
        case .gracePeriod, .billingRetry: true
        case .expired(.billingError): false
        case .active, .expired, .revoked: nil
        }
    }

    /// Until when access goes on without payment.
    var graceUntil: Timestamp? {
        switch state {
        case .gracePeriod(let until, _): until
        case .active, .billingRetry, .expired, .revoked: nil
        }
    }

    /// Whether the store means to charge again.
    var willRenew: Bool {
        switch state {
        case .active, .gracePeriod, .billingRetry: autoRenews
        case .expired, .revoked: false
        }
    }

    /// What signed renewal information says of it.
    func renewalInfo(signedDate: Timestamp) -> RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: originalTransactionID,
            productId: productID,
            autoRenewStatus: willRenew ? 1 : 0,
            environment: LocalAppStore.environment.rawValue,
            signedDate: signedDate
        )
        payload.expirationIntent = expirationIntent?.rawValue
        payload.isInBillingRetryPeriod = isInBillingRetry
        payload.gracePeriodExpiresDate = graceUntil
        payload.renewalDate = paidUntil
        return payload
    }
}
