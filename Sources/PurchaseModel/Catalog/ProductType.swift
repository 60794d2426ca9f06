/// A product type of the App Store, including the former free subscription.
public enum ProductType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A product that is used up, and that the customer can purchase again.
    case consumable = "Consumable"
    /// A product that is purchased once and never expires.
    case nonConsumable = "Non-Consumable"
    /// A subscription that renews each period until it is canceled.
    case autoRenewable = "Auto-Renewable Subscription"
    /// A free subscription that never expires; only receipts contain this type, as type 4, and signed transactions do not.
    case freeSubscription = "Free Subscription"
    /// A subscription with a duration that the app defines; the customer renews it manually.
    case nonRenewing = "Non-Renewing Subscription"

    /// The number of this product type in attribute 1707 of a receipt.
    public var receiptCode: Int64 {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        case .autoRenewable: 3
        case .freeSubscription: 4
        }
    }

    /// Creates the product type for a value of attribute 1707 of a receipt; nil for an unknown value.
    public init?(receiptCode: Int64) {
        guard let type = ProductType.allCases.first(where: { $0.receiptCode == receiptCode }) else { return nil }
        self = type
    }

    /// Whether the store can restore a product of this type.
    ///
    /// Consumables cannot be restored; the developer's server restores non-renewing subscriptions.
    public var isRestorable: Bool {
        switch self {
        case .nonConsumable, .autoRenewable, .freeSubscription: true
        case .consumable, .nonRenewing: false
        }
    }

    /// Whether one payment can contain a quantity greater than one.
    public var allowsQuantity: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable, .freeSubscription: false
        }
    }
}
