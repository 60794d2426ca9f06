/// Credits that a customer spends.
public struct SpendRequest: Codable, Hashable, Sendable {
    /// Made by the app for this spending; a repeat carries the same and takes nothing more.
    public var spending: String
    /// How many credits, at least 1.
    public var amount: Int

    /// Creates a request.
    public init(spending: String, amount: Int) {
        self.spending = spending
        self.amount = amount
    }
}
