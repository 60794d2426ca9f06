import PurchaseModel
import StoreKit

/// The payments that the app has added in this session, each bound to its transaction in the queue.
///
/// A transaction does not identify the call that added the payment, so payments are bound by product, quantity and application username.
/// The queue announces transactions of earlier app sessions first, so the payments of this session belong to the newest transactions.
struct PaymentRequests: Sendable {
    private struct Key: Hashable {
        let product: String
        let quantity: Int
        let username: String?

        init(_ payment: SKPayment) {
            (product, quantity, username) = (payment.productIdentifier, payment.quantity, payment.applicationUsername)
        }
    }

    private struct Request: Sendable {
        let key: Key
        /// The continuation of the caller that waits for the outcome; nil if no caller waits.
        let continuation: CheckedContinuation<PurchaseOutcome, Never>?
        var transaction: ObjectIdentifier?
    }

    private var requests: [Request] = []
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(_ payment: SKPayment, _ continuation: CheckedContinuation<PurchaseOutcome, Never>?) {
        requests.append(Request(key: Key(payment), continuation: continuation))
    }

    /// Binds a new transaction to the first unbound payment with the same product, quantity and application username.
    ///
    /// If all matching payments are bound, the oldest bound transaction comes from an earlier app session, because there are more
    /// transactions than payments. Each payment is then bound to the next newer transaction.
    mutating func bind(_ transaction: SKPaymentTransaction) {
        let id = ObjectIdentifier(transaction)
        guard seen.insert(id).inserted else { return }
        let key = Key(transaction.payment)
        let alike = requests.indices.filter { requests[$0].key == key }
        if let free = alike.first(where: { requests[$0].transaction == nil }) {
            requests[free].transaction = id
        } else if let last = alike.last {
            for (index, next) in zip(alike, alike.dropFirst()) { requests[index].transaction = requests[next].transaction }
            requests[last].transaction = id
        }
    }

    /// Whether the queue has announced the transaction's payment in this app session.
    func hasSeen(_ transaction: SKPaymentTransaction) -> Bool { seen.contains(ObjectIdentifier(transaction)) }

    /// Whether a payment of this app session led to the transaction.
    func isExpected(_ transaction: SKPaymentTransaction) -> Bool {
        requests.contains { $0.transaction == ObjectIdentifier(transaction) }
    }

    /// Whether a payment for the product has no outcome yet.
    func isPurchasing(_ product: String) -> Bool { requests.contains { $0.key.product == product } }

    /// Removes all payments, and returns the continuations of the callers that wait.
    mutating func removeAll() -> [CheckedContinuation<PurchaseOutcome, Never>] {
        defer { requests = [] }
        return requests.compactMap(\.continuation)
    }

    /// Removes the payment that is bound to a transaction.
    ///
    /// - Returns: The continuation of the waiting caller, or `.some(nil)` if no caller waits; nil for a transaction without a payment of
    ///   this app session.
    mutating func complete(_ transaction: SKPaymentTransaction) -> CheckedContinuation<PurchaseOutcome, Never>?? {
        seen.remove(ObjectIdentifier(transaction))
        guard let index = requests.firstIndex(where: { $0.transaction == ObjectIdentifier(transaction) }) else { return nil }
        return .some(requests.remove(at: index).continuation)
    }
}
