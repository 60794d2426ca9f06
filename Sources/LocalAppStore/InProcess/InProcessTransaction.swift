package import PurchaseModel

/// A transaction in a test session's list: a completed transaction or a pending payment.
package struct InProcessTransaction: Sendable {
    /// The state of a transaction or a payment.
    package enum State: Sendable {
        /// The transaction was charged.
        case purchased
        /// The transaction restores another transaction.
        case restored
        /// The payment is pending a parent's approval.
        case deferred
        /// The payment is interrupted until the account resolves an issue.
        case interrupted
    }

    /// The offset of a pending payment's number: the number is the payment's row number plus this value.
    static let firstPendingNumber: Int64 = 1_000_000_000

    /// The transaction's number; a pending payment has a separate number.
    package var number: Int64
    /// The number of the original transaction.
    package var originalNumber: Int64
    /// The product.
    package var productID: ProductID
    /// The state.
    package var state: State
    /// The purchase date, or the date of a pending payment.
    package var purchaseDate: Timestamp
    /// The end of the subscription period.
    package var expirationDate: Timestamp?
    /// The revocation date.
    package var cancelDate: Timestamp?
    /// Whether the subscription has auto-renew enabled.
    package var autoRenews = false
    /// Whether the next renewal failed because of a billing issue.
    package var hasPurchaseIssue = false
    /// Whether the subscription waits for consent to a price increase.
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
