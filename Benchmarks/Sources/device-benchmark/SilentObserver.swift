import Foundation
import StoreKit

/// An app that does nothing with what it is told.
final class SilentObserver: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
}
