/// The answer to "does this customer have access?".
public struct AccessReply: Codable, Hashable, Sendable {
    /// The customer.
    public var customer: CustomerID
    /// The product.
    public var product: ProductID
    /// The answer with its reason.
    public var access: Access

    /// Creates a reply.
    public init(customer: CustomerID, product: ProductID, access: Access) {
        self.customer = customer
        self.product = product
        self.access = access
    }
}
