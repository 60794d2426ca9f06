import StoreKit

/// A restored transaction in the queue, kept until the user has chosen the products to restore.
struct Restorable: Sendable {
    let transaction: SKPaymentTransaction
    let purchase: Purchase
}
