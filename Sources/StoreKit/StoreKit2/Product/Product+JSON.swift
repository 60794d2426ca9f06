public import Foundation
import PurchaseModel

extension Product {
    /// The product as JSON, in the format of the App Store's catalog.
    public var jsonRepresentation: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(ProductDescription(storeProduct, country: storefront?.countryCode ?? "USA"))) ?? Data()
    }
}

/// The JSON representation of a product in the App Store's catalog.
private struct ProductDescription: Encodable {
    struct Attributes: Encodable {
        let description: [String: String]
        let icuLocale: String
        let isFamilyShareable: Int
        let kind: String
        let name: String
        let offerName: String
        let offers: [Price]
        let subscriptionFamilyId: String?
        let subscriptionFamilyName: String?
        let subscriptionFamilyRank: Int?
    }

    struct Price: Encodable {
        let currencyCode: String
        let price: String
        let priceFormatted: String
        let priceString: String
        let recurringSubscriptionPeriod: String?
        let discounts: [Discount]?
    }

    struct Discount: Encodable {
        let type: String
        let offerId: String?
        let modeType: String
        let numOfPeriods: Int
        let priceFormatted: String
        let priceString: String
        let recurringSubscriptionPeriod: String
    }

    let attributes: Attributes
    let href: String
    let id: String
    let type: String

    init(_ product: StoreProduct, country: String) {
        let terms = product.subscription
        attributes = Attributes(
            description: ["standard": product.summary],
            icuLocale: "\(product.priceLocale)@currency=\(product.price.currency)",
            isFamilyShareable: product.isFamilyShareable ? 1 : 0,
            kind: product.type.rawValue,
            name: product.title,
            offerName: product.id.rawValue,
            offers: [Price(product)],
            subscriptionFamilyId: terms?.group.rawValue,
            subscriptionFamilyName: terms?.groupName,
            subscriptionFamilyRank: terms?.level
        )
        href = "/v1/catalog/\(country.lowercased())/in-apps/\(product.id)"
        id = product.id.rawValue
        type = "in-apps"
    }
}

extension ProductDescription.Price {
    fileprivate init(_ product: StoreProduct) {
        let price = "\(product.price.decimal)"
        self.init(
            currencyCode: product.price.currency,
            price: price,
            priceFormatted: product.price.formatted(locale: product.priceLocale),
            priceString: price,
            recurringSubscriptionPeriod: product.subscription?.period.iso8601,
            discounts: product.subscription?.offers(of: .billedUpfront).compactMap {
                ProductDescription.Discount($0, locale: product.priceLocale)
            }
        )
    }
}

extension ProductDescription.Discount {
    fileprivate init?(_ offer: PurchaseModel.SubscriptionOffer, locale: String) {
        let kind: String
        switch offer.kind {
        case .introductory: kind = "IntroOffer"
        case .promotional: kind = "AdhocOffer"
        case .winBack: kind = "WinBackOffer"
        // StoreKit names no type for a retention offer.
        case .code, .retention: return nil
        }
        self.init(
            type: kind,
            offerId: offer.id,
            modeType: Product.SubscriptionOffer.PaymentMode(offer.mode).rawValue,
            numOfPeriods: offer.periodCount,
            priceFormatted: offer.price.formatted(locale: locale),
            priceString: "\(offer.price.decimal)",
            recurringSubscriptionPeriod: offer.period.iso8601
        )
    }
}
