public import PurchaseModel

/// Subscriptions of which a customer holds one at a time.
public struct CatalogGroup: Codable, Hashable, Sendable {
    /// The group's identifier.
    public var id: SubscriptionGroupID
    /// What its makers call it among themselves.
    public var name: String
    /// What customers see it called, in the file's order.
    public var localizations: [CatalogLocalization]
    /// Its subscriptions, free ones too, in the file's order.
    public internal(set) var products: [ProductID]

    /// Creates a group without subscriptions.
    public init(id: SubscriptionGroupID, name: String = "", localizations: [CatalogLocalization] = []) {
        self.id = id
        self.name = name
        self.localizations = localizations
        self.products = []
    }
}
