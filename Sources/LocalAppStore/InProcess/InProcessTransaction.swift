package import PurchaseModel

/// A transaction or a pending payment, as a test session lists them (`SKTestTransaction`).
package struct InProcessTransaction: Sendable {
    /// The state of a transaction or a payment.
    package enum State: Sendable {
        /// The payment is completed with a transaction.
        case purchased
        /// The transaction restores another transaction.
        case restored
        /// The payment is pending a parent's approval.
        case deferred
        /// The payment is interrupted until the account resolves an issue.
        case interrupted
    }

    /// The value that is added to the database row number of a pending payment to get its ``number``.
    static let firstPendingNumber: Int64 = 1_000_000_000

    /// The transaction identifier as a number; for a pending payment, a number that no transaction has.
    package var number: Int64
    /// The original transaction identifier as a number; for a pending payment, the same as ``number``.
    package var originalNumber: Int64
    /// The identifier of the product.
    package var productID: ProductID
    /// The state of the transaction or the payment.
    package var state: State
    /// The purchase date of the transaction, or the date on which the payment became pending.
    package var purchaseDate: Timestamp
    /// The end of the subscription period; nil for products that are not auto-renewable subscriptions.
    package var expirationDate: Timestamp?
    /// The date on which the transaction was refunded or revoked; nil if it was not.
    package var cancelDate: Timestamp?
    /// Whether the subscription has auto-renew enabled.
    package var autoRenews = false
    /// Whether the renewal at the end of this subscription period failed because of a billing issue.
    package var hasPurchaseIssue = false
    /// Whether the subscriber has not yet consented to a price increase that requires consent.
    package var isPendingPriceIncreaseConsent = false
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
        case .gracePeriod, .billingRetry: hasPurchaseIssue = true
        case .active: isPendingPriceIncreaseConsent = subscription.priceIncrease?.consent == .pending
        case .expired, .revoked: break
        }
    }

    init(_ payment: PaymentRecord, row: Int64, at date: Timestamp) {
        let number = Self.firstPendingNumber + row
        self.init(
            number: number, originalNumber: number, productID: payment.productID,
            state: payment.state == .interrupted ? .interrupted : .deferred, purchaseDate: date)
    }
}
