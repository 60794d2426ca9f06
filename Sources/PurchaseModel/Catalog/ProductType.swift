/// The five kinds of products that the App Store has sold.
public enum ProductType: String, Codable, Hashable, Sendable, CaseIterable {
    /// Used up, and bought again.
    case consumable = "Consumable"
    /// Bought once, owned for ever.
    case nonConsumable = "Non-Consumable"
    /// Paid again each period until it is cancelled.
    case autoRenewable = "Auto-Renewable Subscription"
    /// Costs nothing and never ends; the store knows it in receipts only (type 4), signed transactions never named it.
    case freeSubscription = "Free Subscription"
    /// Lasts a time that the app knows; bought again by hand.
    case nonRenewing = "Non-Renewing Subscription"

    /// The number of this type in attribute 1707 of a receipt.
    public var receiptCode: Int64 {
        switch self {
        case .nonConsumable: 0
        case .consumable: 1
        case .nonRenewing: 2
        case .autoRenewable: 3
        case .freeSubscription: 4
        }
    }

    /// The type with that number in attribute 1707 of a receipt; nil for an unknown one.
    public init?(receiptCode: Int64) {
        guard let type = ProductType.allCases.first(where: { $0.receiptCode == receiptCode }) else { return nil }
        self = type
    }

    /// Whether the store can restore it.
    ///
    /// Consumables leave nothing to restore; a non-renewing subscription is restored by the developer's own server.
    public var isRestorable: Bool {
        switch self {
        case .nonConsumable, .autoRenewable, .freeSubscription: true
        case .consumable, .nonRenewing: false
        }
    }

    /// Whether more than one can be bought in one payment.
    public var allowsQuantity: Bool {
        switch self {
        case .consumable, .nonRenewing: true
        case .nonConsumable, .autoRenewable, .freeSubscription: false
        }
    }
}
