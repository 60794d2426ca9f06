public import Foundation
import PurchaseModel

/// A product as the store describes it.
open class SKProduct: NSObject, @unchecked Sendable {
    let storeProduct: StoreProduct?

    /// Creates a product without content, for subclasses.
    public override init() {
        storeProduct = nil
    }

    init(_ product: StoreProduct) {
        storeProduct = product
    }

    /// The product's identifier.
    open var productIdentifier: String { storeProduct?.id.rawValue ?? "" }
    /// The name in the storefront's language.
    open var localizedTitle: String { storeProduct?.title ?? "" }
    /// The description in the storefront's language.
    open var localizedDescription: String { storeProduct?.summary ?? "" }
    /// The price of one, in ``priceLocale``'s currency.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: storeProduct?.price.decimal ?? 0) }
    /// The locale to format ``price`` with; carries the currency.
    open var priceLocale: Locale {
        Locale(identifier: "\(storeProduct?.priceLocale ?? "en_US")@currency=\(storeProduct?.price.currency ?? "USD")")
    }
    /// The length of a subscription's period; nil for everything else.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        storeProduct?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The subscription's group; nil for everything else.
    open var subscriptionGroupIdentifier: String? { storeProduct?.subscription?.group.rawValue }
    /// Whether the customer's family may use it.
    open var isFamilyShareable: Bool { storeProduct?.isFamilyShareable ?? false }
}
