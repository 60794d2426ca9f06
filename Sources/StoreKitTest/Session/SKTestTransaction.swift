public import Foundation
import LocalAppStore
import PurchaseModel
public import StoreKit

/// A snapshot of a transaction or a pending payment in a test session's store.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let transaction: InProcessTransaction

    init(_ transaction: InProcessTransaction) {
        self.transaction = transaction
    }

    /// The identifier of the transaction or the pending payment.
    ///
    /// When a pending payment is completed, its transaction has another identifier.
    open var identifier: UInt { UInt(clamping: transaction.number) }
    /// The identifier of the original transaction.
    open var originalTransactionIdentifier: UInt { UInt(clamping: transaction.originalNumber) }
    /// The identifier of the product.
    open var productIdentifier: String { transaction.productID.rawValue }
    /// The date of the purchase, or the date on which a pending payment was requested.
    open var purchaseDate: Date { transaction.purchaseDate.date }
    /// The date on which the subscription period ends; nil for products that are not auto-renewable subscriptions.
    open var expirationDate: Date? { transaction.expirationDate?.date }
    /// The date on which the transaction was refunded or revoked; nil for a transaction that was not revoked.
    open var cancelDate: Date? { transaction.cancelDate?.date }
    /// Whether the subscription has auto-renew enabled; false for other products and for an ended subscription.
    open var autoRenewingEnabled: Bool { transaction.autoRenews }
    /// Whether the purchase is interrupted, or the renewal after this subscription period has a billing issue.
    open var hasPurchaseIssue: Bool { transaction.state == .interrupted || transaction.hasPurchaseIssue }
    /// Whether the subscription has a price increase to which the customer has not yet consented.
    open var isPendingPriceIncreaseConsent: Bool { transaction.isPendingPriceIncreaseConsent }
    /// Whether the purchase is pending a parent's approval (Ask to Buy).
    open var pendingAskToBuyConfirmation: Bool { transaction.state == .deferred }

    /// The state of the transaction; an interrupted purchase has the state `failed`.
    open var state: SKPaymentTransactionState {
        switch transaction.state {
        case .purchased: .purchased
        case .restored: .restored
        case .deferred: .deferred
        case .interrupted: .failed
        }
    }
}
