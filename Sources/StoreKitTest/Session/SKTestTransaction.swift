public import Foundation
import LocalAppStore
import PurchaseModel
public import StoreKit

/// A snapshot of a transaction in a session's store.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let transaction: InProcessTransaction

    init(_ transaction: InProcessTransaction) {
        self.transaction = transaction
    }

    /// The transaction's identifier; a pending payment has its own identifier.
    open var identifier: UInt { UInt(clamping: transaction.number) }
    /// The identifier of the original transaction.
    open var originalTransactionIdentifier: UInt { UInt(clamping: transaction.originalNumber) }
    /// The product.
    open var productIdentifier: String { transaction.productID.rawValue }
    /// The date of the purchase, or of the request for a pending payment.
    open var purchaseDate: Date { transaction.purchaseDate.date }
    /// The end of the subscription period; nil for other products.
    open var expirationDate: Date? { transaction.expirationDate?.date }
    /// The date of the revocation; nil for a transaction that was not revoked.
    open var cancelDate: Date? { transaction.cancelDate?.date }
    /// Whether the subscription renews.
    open var autoRenewingEnabled: Bool { transaction.autoRenews }
    /// Whether the purchase was interrupted, or the following renewal has a billing issue.
    open var hasPurchaseIssue: Bool { transaction.state == .interrupted || transaction.hasPurchaseIssue }
    /// Whether the subscription waits for consent to a price increase.
    open var isPendingPriceIncreaseConsent: Bool { transaction.isPendingPriceIncreaseConsent }
    /// Whether the purchase waits for a parent's approval.
    open var pendingAskToBuyConfirmation: Bool { transaction.state == .deferred }

    /// The state of the transaction.
    open var state: SKPaymentTransactionState {
        switch transaction.state {
        case .purchased: .purchased
        case .restored: .restored
        case .deferred: .deferred
        case .interrupted: .failed
        }
    }
}
