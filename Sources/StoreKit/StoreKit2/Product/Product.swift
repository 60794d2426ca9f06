public import Foundation
public import OpenStoreKit
import PurchaseModel

/// A product that the store sells, described in the storefront's language and currency.
///
/// Load products with ``products(for:)``, and purchase them with ``purchase(options:)``.
public struct Product: Identifiable, Hashable, Sendable {
    /// The identifier of the product.
    public let id: String
    /// The type of the product.
    public let type: ProductType
    /// The name of the product, in the storefront's language.
    public let displayName: String
    /// The description of the product, in the storefront's language.
    public let description: String
    /// The price of one unit, in the storefront's currency.
    public let price: Decimal
    /// The price of one unit, formatted for the user.
    public let displayPrice: String
    /// Whether Family Sharing is available for the product.
    public let isFamilyShareable: Bool
    /// The properties of the subscription; nil for products that are not auto-renewable subscriptions.
    public let subscription: SubscriptionInfo?

    /// The product in the store's response.
    let storeProduct: StoreProduct
    /// The storefront in which the product was loaded; nil when no account was signed in.
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

    /// Whether the product can be purchased with several seats (iOS 27.3 beta).
    public var supportsMultiSeatPurchase: Bool { storeProduct.subscription?.seats != nil }

    /// The format style of ``displayPrice``, for formatting other amounts in the same currency.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        .currency(code: storeProduct.price.currency).locale(Locale(identifier: storeProduct.priceLocale))
    }

    /// The format style for subscription periods, which formats the range of dates of a period.
    public var subscriptionPeriodFormatStyle: PeriodFormatStyle {
        PeriodFormatStyle(locale: Locale(identifier: storeProduct.priceLocale))
    }

    /// The format style for the unit of a subscription period, such as a month.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: Locale(identifier: storeProduct.priceLocale))
    }
}

extension Product: CustomDebugStringConvertible {
    /// The value of ``jsonRepresentation`` as text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
