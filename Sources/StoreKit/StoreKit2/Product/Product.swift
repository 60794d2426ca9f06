public import Foundation
public import OpenStoreKit
import PurchaseModel

/// A product as the store describes it, in the storefront's language and currency.
///
/// Load products with ``products(for:)``, and purchase them with ``purchase(options:)``.
public struct Product: Identifiable, Hashable, Sendable {
    /// The product's identifier.
    public let id: String
    /// The type of the product.
    public let type: ProductType
    /// The name in the storefront's language.
    public let displayName: String
    /// The description in the storefront's language.
    public let description: String
    /// The price of one unit, in the storefront's currency.
    public let price: Decimal
    /// The price of one unit, formatted for the user.
    public let displayPrice: String
    /// Whether Family Sharing is available for the product.
    public let isFamilyShareable: Bool
    /// The subscription's properties; nil for other products.
    public let subscription: SubscriptionInfo?

    /// The product as the store's response describes it.
    let storeProduct: StoreProduct
    /// The storefront of the product description; nil when no account was signed in.
    let storefront: PurchaseModel.Storefront?
    let origin: Origin

    init(_ product: StoreProduct, storefront: PurchaseModel.Storefront? = nil, origin: Origin) {
        id = product.id.rawValue
        type = ProductType(rawValue: product.type.rawValue)
        displayName = product.title
        description = product.summary
        price = product.price.decimal
        displayPrice = product.price.formatted(locale: product.priceLocale)
        isFamilyShareable = product.isFamilyShareable
        subscription = product.subscription.map { SubscriptionInfo($0, of: product, origin: origin) }
        storeProduct = product
        self.storefront = storefront
        self.origin = origin
    }

    /// The format style of ``displayPrice``, for other amounts in the same currency.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        .currency(code: storeProduct.price.currency).locale(Locale(identifier: storeProduct.priceLocale))
    }

    /// The format style for a subscription's period as a range of dates.
    public var subscriptionPeriodFormatStyle: PeriodFormatStyle {
        PeriodFormatStyle(locale: Locale(identifier: storeProduct.priceLocale))
    }

    /// The format style for the unit of a subscription's period.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: Locale(identifier: storeProduct.priceLocale))
    }
}

extension Product: CustomDebugStringConvertible {
    /// The text of ``jsonRepresentation``.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
