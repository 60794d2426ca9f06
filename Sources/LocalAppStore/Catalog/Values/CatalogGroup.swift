public import PurchaseModel

/// A subscription group: an account has at most one active subscription of a group at a time.
public struct CatalogGroup: Codable, Hashable, Sendable {
    /// The group's identifier.
    public var id: SubscriptionGroupID
    /// The reference name, which customers do not see.
    public var name: String
    /// The localized names of the group, in the file's order.
    public var localizations: [CatalogLocalization]
    /// The product identifiers of the group's subscriptions, including free subscriptions, in the file's order.
    public internal(set) var products: [ProductID]

    /// Creates a group without subscriptions.
    public init(id: SubscriptionGroupID, name: String = "", localizations: [CatalogLocalization] = []) {
        self.id = id
        self.name = name
        self.localizations = localizations
        self.products = []
    }
}
