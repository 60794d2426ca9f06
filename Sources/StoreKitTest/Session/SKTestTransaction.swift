public import Foundation
import LocalAppStore
import PurchaseModel
public import StoreKit

/// A transaction as a session's store knows it, at the moment when it was asked.
open class SKTestTransaction: NSObject, @unchecked Sendable {
    private let transaction: InProcessTransaction

    init(_ transaction: InProcessTransaction) {
        self.transaction = transaction
    }

    /// The transaction's number; a payment that waits for something has one of its own.
    open var identifier: UInt { UInt(clamping: transaction.number) }
    /// The number of the first transaction of the purchase.
    open var originalTransactionIdentifier: UInt { UInt(clamping: transaction.originalNumber) }
    /// The product.
    open var productIdentifier: String { transaction.productID.rawValue }
    /// When it was bought, or asked for.
    open var purchaseDate: Date { transaction.purchaseDate.date }
    /// When the period of a subscription ends; nil for everything else.
    open var expirationDate: Date? { transaction.expirationDate?.date }
    /// When it was taken back; nil unless it was.
    open var cancelDate: Date? { transaction.cancelDate?.date }
    /// Whether the subscription renews.
    open var autoRenewingEnabled: Bool { transaction.autoRenews }
    /// Whether it was interrupted, or the renewal after it could not be paid.
    open var hasPurchaseIssue: Bool { transaction.state == .interrupted || transaction.hasBillingIssue }
    /// Whether its customer is asked to agree to a higher price.
    open var isPendingPriceIncreaseConsent: Bool { transaction.waitsForConsent }
    /// Whether it waits for a parent.
    open var pendingAskToBuyConfirmation: Bool { transaction.state == .deferred }

    /// Where it stands.
    open var state: SKPaymentTransactionState {
        switch transaction.state {
        case .purchased: .purchased
        case .restored: .restored
        case .deferred: .deferred
        case .interrupted: .failed
        }
    }
}
