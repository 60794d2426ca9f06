public import PurchaseModel

/// A line that the app prints when it runs in a separate process, as JSON.
public enum AppOutput: Codable, Hashable, Sendable {
    /// The app delivered a purchase and has not finished the transaction yet.
    case delivered(ProductID)
    /// The app is idle; states the balance of credits, and the raw `SKPaymentTransactionState` of each transaction in the queue.
    case idle(balance: Int64, queue: [Int])
}
