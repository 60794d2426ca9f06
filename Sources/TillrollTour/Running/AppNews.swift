package import PurchaseModel

/// The output of an app in its own process, one JSON value per line.
package enum AppNews: Codable, Hashable, Sendable {
    /// The app delivered a purchase and has not finished it yet.
    case delivered(ProductID)
    /// The app is idle: the balance, and the states of the transactions in the queue.
    case settled(balance: Int, queue: [Int])
}
