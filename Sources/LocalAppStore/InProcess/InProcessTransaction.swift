package import PurchaseModel

/// A transaction as a test session lists it: one that was made, or a payment that waits to become one.
package struct InProcessTransaction: Sendable {
    /// Where it stands.
    package enum State: Sendable {
        /// It was charged.
        case purchased
        /// A device restored another one.
        case restored
        /// It waits for a parent.
        case deferred
        /// It was interrupted, and waits until that is resolved.
        case interrupted
    }

    /// The number of a payment that waits is its row's and this many.
    static let firstWaiting: Int64 = 1_000_000_000

    /// The transaction's number; of a payment that waits, one of its own.
    package var number: Int64
    /// The number of the first transaction of the purchase.
    package var originalNumber: Int64
    /// The product.
    package var productID: ProductID
    /// Where it stands.
    package var state: State
    /// When it was bought, or asked for.
    package var purchaseDate: Timestamp
    /// When the period of a subscription ends.
    package var expirationDate: Timestamp?
    /// When it was taken back.
    package var cancelDate: Timestamp?
    /// Whether the subscription renews.
    package var autoRenews = false
    /// Whether the renewal after it could not be paid.
    package var hasBillingIssue = false
    /// Whether its customer is asked to agree to a price.
    package var waitsForConsent = false
}

extension InProcessTransaction {
    init?(_ row: TransactionRecord, _ subscription: Subscription?) {
        guard let number = Int64(row.id.rawValue), let original = Int64(row.originalID.rawValue) else { return nil }
        self.init(
            number: number, originalNumber: original, productID: row.productID, state: row.kind == .restore ? .restored : .purchased,
            purchaseDate: row.purchaseDate, expirationDate: row.expiresDate, cancelDate: row.revokedAt
        )
        guard let subscription else { return }
        autoRenews = subscription.autoRenews && !subscription.hasEnded
        guard row.kind != .restore, row.period == subscription.period.number else { return }
        switch subscription.state {
        case .gracePeriod, .billingRetry: hasBillingIssue = true
        case .active: waitsForConsent = subscription.priceIncrease?.answer == .pending
        case .expired, .revoked: break
        }
    }

    init(_ payment: PaymentRecord, row: Int64, at date: Timestamp) {
        let number = Self.firstWaiting + row
        self.init(
            number: number, originalNumber: number, productID: payment.productID,
            state: payment.state == .interrupted ? .interrupted : .deferred, purchaseDate: date)
    }
}
