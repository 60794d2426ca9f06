package import PurchaseModel

/// The output of an app in its own process, one JSON value per line.
package enum AppOutput: Codable, Hashable, Sendable {
    /// The app delivered a purchase and has not finished the transaction yet.
    case delivered(ProductID)
    /// The app is idle: the balance, and the states of the transactions in the queue.
    case idle(balance: Int, queue: [Int])
}
