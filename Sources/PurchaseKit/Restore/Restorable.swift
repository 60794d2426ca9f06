import StoreKit

/// A restored transaction in the queue that waits for the user's choice.
struct Restorable: Sendable {
    let transaction: SKPaymentTransaction
    let purchase: Purchase
}
