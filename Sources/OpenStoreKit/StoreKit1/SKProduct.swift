public import Foundation
import PurchaseModel

/// A product as the store describes it.
open class SKProduct: NSObject, @unchecked Sendable {
    let description_: StoreProduct?

    /// Creates a product without content, for subclasses.
    public override init() {
        description_ = nil
    }

    init(_ product: StoreProduct) {
        description_ = product
    }

    /// The product's identifier.
    open var productIdentifier: String { description_?.id.rawValue ?? "" }
    /// The name in the storefront's language.
    open var localizedTitle: String { description_?.title ?? "" }
    /// The description in the storefront's language.
    open var localizedDescription: String { description_?.summary ?? "" }
    /// The price of one, in ``priceLocale``'s currency.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: description_?.price.decimal ?? 0) }
    /// The locale to format ``price`` with; carries the currency.
    open var priceLocale: Locale {
        Locale(identifier: "\(description_?.priceLocale ?? "en_US")@currency=\(description_?.price.currency ?? "USD")")
    }
    /// The length of a subscription's period; nil for everything else.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        description_?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The subscription's group; nil for everything else.
    open var subscriptionGroupIdentifier: String? { description_?.subscription?.group.rawValue }
    /// Whether the customer's family may use it.
    open var isFamilyShareable: Bool { description_?.isFamilyShareable ?? false }
}
