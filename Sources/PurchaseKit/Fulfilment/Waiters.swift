#if canImport(StoreKit)
import StoreKit
#else
import OpenStoreKit
#endif

/// Those who wait for the outcome of a payment, each bound to the transaction that appeared for it and to no other.
///
/// A payment has no identity that comes back; its transaction is the first new one for the same product and quantity.
struct Waiters: Sendable {
    private struct Waiter: Sendable {
        let product: String
        let quantity: Int
        let continuation: CheckedContinuation<PurchaseOutcome, Never>
        var transaction: ObjectIdentifier?
    }

    private var waiters: [Waiter] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(product: String, quantity: Int, _ continuation: CheckedContinuation<PurchaseOutcome, Never>) {
        waiters.append(Waiter(product: product, quantity: quantity, continuation: continuation))
    }

    /// Binds a transaction that has just appeared to the first who waits for one like it.
    mutating func bind(_ transaction: SKPaymentTransaction) {
        guard seen.insert(ObjectIdentifier(transaction)).inserted else { return }
        let index = waiters.firstIndex { waiter in
            waiter.transaction == nil && waiter.product == transaction.payment.productIdentifier
                && waiter.quantity == transaction.payment.quantity
        }
        guard let index else { return }
        waiters[index].transaction = ObjectIdentifier(transaction)
    }

    /// Takes out the one who waits for a transaction.
    mutating func take(_ transaction: SKPaymentTransaction) -> CheckedContinuation<PurchaseOutcome, Never>? {
        seen.remove(ObjectIdentifier(transaction))
        guard let index = waiters.firstIndex(where: { $0.transaction == ObjectIdentifier(transaction) }) else { return nil }
        return waiters.remove(at: index).continuation
    }
}
