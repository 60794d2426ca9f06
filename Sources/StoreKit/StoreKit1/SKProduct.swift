public import CStoreKit
public import Foundation
import PurchaseModel

/// A product as the store describes it.
open class SKProduct: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the product.
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
    /// The price of one unit, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber { keyed["price"] ?? storeProduct?.price.number ?? 0 }
    /// The locale that formats ``price``, with its currency.
    open var priceLocale: Locale { keyed["priceLocale"] ?? storeProduct?.locale ?? Locale(identifier: "en_US@currency=USD") }
    /// Whether Family Sharing is available for the product.
    open var isFamilyShareable: Bool { keyed["isFamilyShareable"] ?? storeProduct?.isFamilyShareable ?? false }
    /// The duration of a subscription period; nil for other products.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        keyed["subscriptionPeriod"] ?? storeProduct?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The identifier of the subscription group; nil for other products.
    open var subscriptionGroupIdentifier: String? {
        keyed["subscriptionGroupIdentifier"] ?? storeProduct?.subscription?.group.rawValue
    }
    /// The introductory offer, regardless of the customer's eligibility; nil when there is none.
    open var introductoryPrice: SKProductDiscount? { keyed["introductoryPrice"] ?? offers(.introductory).first }
    /// The promotional offers.
    open var discounts: [SKProductDiscount] { keyed["discounts"] ?? offers(.promotional) }
    /// Whether the store hosts content for the product.
    open var isDownloadable: Bool { keyed["isDownloadable"] ?? keyed["downloadable"] ?? (storeProduct?.content != nil) }
    /// The lengths of the hosted content, in bytes.
    open var downloadContentLengths: [NSNumber] {
        keyed["downloadContentLengths"] ?? storeProduct?.content.map { [NSNumber(value: $0.length)] } ?? []
    }
    /// The version of the hosted content, such as `1.0`; empty without content.
    open var downloadContentVersion: String { keyed["downloadContentVersion"] ?? storeProduct?.content?.version ?? "" }
    /// The lengths of the hosted content, under the original name of macOS.
    open var contentLengths: [NSNumber] { downloadContentLengths }
    /// The version of the hosted content, under the original name of macOS.
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
