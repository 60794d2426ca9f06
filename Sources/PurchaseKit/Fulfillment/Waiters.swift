import StoreKit

/// Those who have asked for a payment, each bound to the transaction that appeared for it and to no other.
///
/// A payment has no identity that comes back. The queue tells of older transactions first, so with as many wishes as there
/// are, the newest transactions of the same product and quantity are theirs.
struct Waiters: Sendable {
    private struct Waiter: Sendable {
        let product: String
        let quantity: Int
        /// Who waits for the outcome; nil when nobody does.
        let continuation: CheckedContinuation<PurchaseOutcome, Never>?
        var transaction: ObjectIdentifier?
    }

    private var waiters: [Waiter] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(product: String, quantity: Int, _ continuation: CheckedContinuation<PurchaseOutcome, Never>?) {
        waiters.append(Waiter(product: product, quantity: quantity, continuation: continuation))
    }

    /// Binds a transaction that has just appeared to the first who waits for one like it.
    ///
    /// When all of them have one, theirs was left by an earlier launch: each moves on to the next.
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

    /// Takes out the one who waits for a transaction.
    mutating func take(_ transaction: SKPaymentTransaction) -> CheckedContinuation<PurchaseOutcome, Never>? {
        seen.remove(ObjectIdentifier(transaction))
        guard let index = waiters.firstIndex(where: { $0.transaction == ObjectIdentifier(transaction) }) else { return nil }
        return waiters.remove(at: index).continuation
    }
}
