/// A customer's credits.
public struct BalanceReply: Codable, Hashable, Sendable {
    /// The customer.
    public var customer: CustomerID
    /// The credits that are left; below zero when refunds took back credits that were spent already.
    public var balance: Int

    /// Creates a reply.
    public init(customer: CustomerID, balance: Int) {
        self.customer = customer
        self.balance = balance
    }
}
