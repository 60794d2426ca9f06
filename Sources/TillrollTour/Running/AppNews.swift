package import PurchaseModel

/// What an app in a process of its own says, one JSON value a line.
package enum AppNews: Codable, Hashable, Sendable {
    /// A purchase has had its effect; it is not finished yet.
    case delivered(ProductID)
    /// All is done that can be done now: the balance, and the states of the transactions in the queue.
    case settled(balance: Int, queue: [Int])
}
