public import CStoreKit
public import Foundation
import PurchaseModel

/// A product as the store describes it.
open class SKProduct: NSObject, @unchecked Sendable {
    /// Set once, before anybody else sees the product.
    private(set) var storeProduct: StoreProduct?
    private let keyed = KeyedValues()

    /// Creates a product without content, for subclasses.
    public override init() {}

    convenience init(_ product: StoreProduct) {
        self.init()
        storeProduct = product
    }

    /// The product's identifier.
    open var productIdentifier: String { keyed["productIdentifier"] ?? storeProduct?.id.rawValue ?? "" }
    /// The name in the storefront's language.
    open var localizedTitle: String { keyed["localizedTitle"] ?? storeProduct?.title ?? "" }
    /// The description in the storefront's language.
    open var localizedDescription: String { keyed["localizedDescription"] ?? storeProduct?.summary ?? "" }
    /// The price of one, in ``priceLocale``'s currency.
    open var price: NSDecimalNumber { keyed["price"] ?? storeProduct?.price.number ?? 0 }
    /// The locale to format ``price`` with; carries the currency.
    open var priceLocale: Locale { keyed["priceLocale"] ?? storeProduct?.locale ?? Locale(identifier: "en_US@currency=USD") }
    /// Whether the customer's family may use it.
    open var isFamilyShareable: Bool { keyed["isFamilyShareable"] ?? storeProduct?.isFamilyShareable ?? false }
    /// The length of a subscription's period; nil for everything else.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        keyed["subscriptionPeriod"] ?? storeProduct?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The subscription's group; nil for everything else.
    open var subscriptionGroupIdentifier: String? {
        keyed["subscriptionGroupIdentifier"] ?? storeProduct?.subscription?.group.rawValue
    }
    /// The offer for new subscribers; says nothing on whether this customer may have it.
    open var introductoryPrice: SKProductDiscount? { keyed["introductoryPrice"] ?? offers(.introductory).first }
    /// The promotional offers.
    open var discounts: [SKProductDiscount] { keyed["discounts"] ?? offers(.promotional) }
    /// Whether the store hosts content for it.
    open var isDownloadable: Bool { keyed["isDownloadable"] ?? keyed["downloadable"] ?? (storeProduct?.content != nil) }
    /// The lengths of what the store hosts, in bytes.
    open var downloadContentLengths: [NSNumber] {
        keyed["downloadContentLengths"] ?? storeProduct?.content.map { [NSNumber(value: $0.length)] } ?? []
    }
    /// The version of what the store hosts, such as `1.0`; empty for nothing.
    open var downloadContentVersion: String { keyed["downloadContentVersion"] ?? storeProduct?.content?.version ?? "" }
    /// The lengths of what the store hosts, under macOS's first name.
    open var contentLengths: [NSNumber] { downloadContentLengths }
    /// The version of what the store hosts, under macOS's first name.
    open var contentVersion: String { downloadContentVersion }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    private func offers(_ kind: OfferType) -> [SKProductDiscount] {
        guard let storeProduct, let terms = storeProduct.subscription else { return [] }
        return terms.offers.filter { $0.kind == kind && $0.billingPlan == nil }.map { SKProductDiscount($0, in: storeProduct.priceLocale) }
    }
}

extension SKProduct {
    /// The unit of a period.
    public typealias PeriodUnit = SKProductPeriodUnit
}

extension StoreProduct {
    fileprivate var locale: Locale { price.locale(priceLocale) }
}
