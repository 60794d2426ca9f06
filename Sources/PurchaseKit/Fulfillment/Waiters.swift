import StoreKit

/// The requested payments, each bound to its transaction in the queue.
///
/// A transaction does not identify its payment request. The queue announces older transactions first. The requests of a product and
/// quantity therefore belong to the newest transactions with this product and quantity.
struct Waiters: Sendable {
    private struct Waiter: Sendable {
        let product: String
        let quantity: Int
        /// The continuation of the waiting caller; nil when no caller waits.
        let continuation: CheckedContinuation<PurchaseOutcome, Never>?
        var transaction: ObjectIdentifier?
    }

    private var waiters: [Waiter] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(product: String, quantity: Int, _ continuation: CheckedContinuation<PurchaseOutcome, Never>?) {
        waiters.append(Waiter(product: product, quantity: quantity, continuation: continuation))
    }

    /// Binds a new transaction to the first unbound request with the same product and quantity.
    ///
    /// When all requests are bound, the first bound transaction is from an earlier app session: each request moves to the next transaction.
    mutating func bind(_ transaction: SKPaymentTransaction) {
        let id = ObjectIdentifier(transaction)
        guard seen.insert(id).inserted else { return }
        let alike = waiters.indices.filter { index in
            waiters[index].product == transaction.payment.productIdentifier && waiters[index].quantity == transaction.payment.quantity
        }
        if let free = alike.first(where: { waiters[$0].transaction == nil }) {
            waiters[free].transaction = id
        } else if let last = alike.last {
            for (index, next) in zip(alike, alike.dropFirst()) { waiters[index].transaction = waiters[next].transaction }
            waiters[last].transaction = id
        }
    }

    /// Removes the request of a transaction; returns the continuation of the waiting caller, if any.
    mutating func take(_ transaction: SKPaymentTransaction) -> CheckedContinuation<PurchaseOutcome, Never>? {
        seen.remove(ObjectIdentifier(transaction))
        guard let index = waiters.firstIndex(where: { $0.transaction == ObjectIdentifier(transaction) }) else { return nil }
        return waiters.remove(at: index).continuation
    }
}
