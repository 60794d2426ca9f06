public import PurchaseModel

/// A line of JSON that the app prints in a separate process.
public enum AppOutput: Codable, Hashable, Sendable {
    /// The app delivered a purchase and has not finished the transaction yet.
    case delivered(ProductID)
    /// The app is idle; the associated values are the credit balance, and the raw `SKPaymentTransactionState` of each transaction in the
    /// queue.
    case idle(balance: Int64, queue: [Int])
}
