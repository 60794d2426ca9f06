import StoreKit

/// A restored transaction that waits in the queue for the user's choice.
struct Restorable: Sendable {
    let transaction: SKPaymentTransaction
    let purchase: Purchase
}
