import StoreKit

/// The payment requests of a controller, each bound to its transaction in the queue.
///
/// A transaction does not state the request that led to it. Requests are therefore bound by product and quantity. The queue announces
/// transactions of earlier app sessions first, so the requests belong to the newest transactions.
struct Waiters: Sendable {
    private struct Waiter: Sendable {
        let product: String
        let quantity: Int
        /// The continuation of the caller that waits for the outcome; nil if none waits.
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
    /// If all such requests are bound, the oldest bound transaction must be of an earlier app session, because there are more transactions
    /// than requests. Each request is then bound to the next newer transaction.
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

    /// Removes the request that is bound to a transaction, and returns the continuation of the caller that waits, or nil.
    mutating func take(_ transaction: SKPaymentTransaction) -> CheckedContinuation<PurchaseOutcome, Never>? {
        seen.remove(ObjectIdentifier(transaction))
        guard let index = waiters.firstIndex(where: { $0.transaction == ObjectIdentifier(transaction) }) else { return nil }
        return waiters.remove(at: index).continuation
    }
}
