/// A product that the customer chose outside the app, on its page in the store: the app decides whether to buy it now.
public struct PromotedPurchase: Codable, Hashable, Sendable {
    /// Counts up; a device that has dealt with it passes over it.
    public var id: Int64
    /// The product.
    public var productID: ProductID
    /// The win-back offer that goes with it.
    public var offerID: String?

    /// Creates an element.
    public init(id: Int64, productID: ProductID, offerID: String?) {
        self.id = id
        self.productID = productID
        self.offerID = offerID
    }
}
