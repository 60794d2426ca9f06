public import CStoreKit
public import Foundation
import PurchaseModel

/// Information about a product that the store sells to the app's users.
open class SKProduct: NSObject, @unchecked Sendable {
    /// The product in the store's response; set once, before other threads can access the object.
    private(set) var storeProduct: StoreProduct?
    private let keyed = KeyedValues()

    /// Creates a product with default values, for subclasses and tests.
    public override init() {}

    convenience init(_ product: StoreProduct) {
        self.init()
        storeProduct = product
    }

    /// The product's identifier.
    open var productIdentifier: String { keyed["productIdentifier"] ?? storeProduct?.id.rawValue ?? "" }
    /// The name of the product, in the storefront's language.
    open var localizedTitle: String { keyed["localizedTitle"] ?? storeProduct?.title ?? "" }
    /// The description of the product, in the storefront's language.
    open var localizedDescription: String { keyed["localizedDescription"] ?? storeProduct?.summary ?? "" }
    /// The price of one unit, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber { keyed["price"] ?? storeProduct?.price.number ?? 0 }
    /// The locale that formats ``price``, including its currency.
    open var priceLocale: Locale { keyed["priceLocale"] ?? storeProduct?.locale ?? Locale(identifier: "en_US@currency=USD") }
    /// Whether Family Sharing is available for the product.
    open var isFamilyShareable: Bool { keyed["isFamilyShareable"] ?? storeProduct?.isFamilyShareable ?? false }
    /// The duration of a subscription period; nil for products that are not auto-renewable subscriptions.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        keyed["subscriptionPeriod"] ?? storeProduct?.subscription.map { SKProductSubscriptionPeriod($0.period) }
    }
    /// The identifier of the subscription group; nil for products that are not auto-renewable subscriptions.
    open var subscriptionGroupIdentifier: String? {
        keyed["subscriptionGroupIdentifier"] ?? storeProduct?.subscription?.group.rawValue
    }
    /// The introductory offer of the subscription, whether or not the customer is eligible; nil when the product has none.
    open var introductoryPrice: SKProductDiscount? { keyed["introductoryPrice"] ?? offers(.introductory).first }
    /// The promotional offers of the subscription; empty when the product has none.
    open var discounts: [SKProductDiscount] { keyed["discounts"] ?? offers(.promotional) }
    /// Whether the store hosts content that the app downloads after a purchase.
    open var isDownloadable: Bool { keyed["isDownloadable"] ?? keyed["downloadable"] ?? (storeProduct?.content != nil) }
    /// The length of the hosted content in bytes, as the only element; empty when the store hosts no content.
    open var downloadContentLengths: [NSNumber] {
        keyed["downloadContentLengths"] ?? storeProduct?.content.map { [NSNumber(value: $0.length)] } ?? []
    }
    /// The version of the hosted content, such as `1.0`; empty when the store hosts no content.
    open var downloadContentVersion: String { keyed["downloadContentVersion"] ?? storeProduct?.content?.version ?? "" }
    /// The same value as ``downloadContentLengths``, under the original name of the property on macOS.
    open var contentLengths: [NSNumber] { downloadContentLengths }
    /// The same value as ``downloadContentVersion``, under the original name of the property on macOS.
    open var contentVersion: String { downloadContentVersion }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    private func offers(_ kind: OfferType) -> [SKProductDiscount] {
        guard let storeProduct, let terms = storeProduct.subscription else { return [] }
        return terms.offers(of: .billedUpfront).filter { $0.kind == kind }.map { SKProductDiscount($0, in: storeProduct.priceLocale) }
    }
}

extension SKProduct {
    /// The unit of time of a subscription period, such as a month.
    public typealias PeriodUnit = SKProductPeriodUnit
}

extension StoreProduct {
    fileprivate var locale: Locale { price.locale(priceLocale) }
}

extension Money {
    /// The amount as an `NSDecimalNumber`, which is the type of StoreKit 1's prices.
    var number: NSDecimalNumber { NSDecimalNumber(decimal: decimal) }

    /// Returns a locale that formats the amount in its currency.
    ///
    /// - Parameter identifier: The identifier of the locale without a currency, such as `en_US`.
    func locale(_ identifier: String) -> Locale {
        Locale(identifier: "\(identifier)@currency=\(currency)")
    }
}
