public import Foundation
import FoundationExtras
public import PurchaseModel

extension PurchaseServerConfiguration {
    /// Parses a list of products; `id` is the only required member of a product.
    ///
    /// `[{"id": "…", "type": "Consumable", "credits": 5, "currency": "coins", "entitlements": ["premium"], "duration": "P30D", …}]`
    ///
    /// - Throws: ``ConfigurationError/productMember(_:place:nearest:)`` for an unknown member, and
    ///   ``ConfigurationError/productsMalformed(place:)`` for any other error of the format.
    public static func loadProducts(json: Data) throws(ConfigurationError) -> [ServerProduct] {
        guard let list = JSONReader.read([UInt8](json)) else {
            throw .productsMalformed(place: "the beginning, because it is not JSON")
        }
        guard case .array(let elements) = list else { throw .productsMalformed(place: "the beginning") }
        var products: [ServerProduct] = []
        for (index, element) in elements.enumerated() {
            products.append(try product(element, at: "product \(index + 1)"))
        }
        return products
    }

    private static func product(_ value: JSONValue, at place: String) throws(ConfigurationError) -> ServerProduct {
        guard case .object(let members) = value else { throw .productsMalformed(place: place) }
        let known = [
            "id", "type", "subscriptionGroupID", "credits", "currency", "entitlements", "duration", "file", "localizations", "isAvailable",
        ]
        // reason: the elements are known ASCII names of members.
        var names: Set<String> = []
        for member in members {
            guard known.contains(member.name) else {
                let nearest = ConfigurationKeys.nearest(to: member.name, among: known)
                throw .productMember(member.name, place: place, nearest: nearest)
            }
            guard names.insert(member.name).inserted else {
                throw .productsMalformed(place: "\(place), \(member.name), which occurs twice")
            }
        }
        guard case .string(let id) = value["id"], !id.isEmpty, IdentifierText.isValid(id) else {
            throw .productsMalformed(place: "\(place), id")
        }
        var product = ServerProduct(id: ProductID(id))
        switch value["type"] {
        case nil: break
        case .string(let text):
            guard let type = ProductType(rawValue: text) else { throw .productsMalformed(place: "\(place), type") }
            product.type = type
        default: throw .productsMalformed(place: "\(place), type")
        }
        switch value["subscriptionGroupID"] {
        case nil: break
        case .string(let id) where (1...200).contains(id.utf8.count) && IdentifierText.isValid(id):
            product.subscriptionGroupID = SubscriptionGroupID(id)
        default: throw .productsMalformed(place: "\(place), subscriptionGroupID")
        }
        switch value["credits"] {
        case nil: break
        case .number(let digits):
            guard let credits = Int(digits) else { throw .productsMalformed(place: "\(place), credits") }
            product.credits = credits
        default: throw .productsMalformed(place: "\(place), credits")
        }
        switch value["currency"] {
        case nil: break
        case .string(let currency) where !currency.isEmpty && currency.utf8.count <= 100 && IdentifierText.isValid(currency):
            product.currency = CurrencyID(currency)
        default: throw .productsMalformed(place: "\(place), currency")
        }
        switch value["entitlements"] {
        case nil: break
        case .array(let names):
            product.entitlements = []
            for name in names {
                guard case .string(let text) = name, !text.isEmpty, text.utf8.count <= 200, IdentifierText.isValid(text) else {
                    throw .productsMalformed(place: "\(place), entitlements")
                }
                product.entitlements?.append(EntitlementName(text))
            }
        default: throw .productsMalformed(place: "\(place), entitlements")
        }
        switch value["duration"] {
        case nil: break
        case .string(let text):
            guard let duration = BillingPeriod(iso8601: text) else { throw .productsMalformed(place: "\(place), duration") }
            product.duration = duration
        default: throw .productsMalformed(place: "\(place), duration")
        }
        switch value["isAvailable"] {
        case nil: break
        case .bool(let isAvailable): product.isAvailable = isAvailable
        default: throw .productsMalformed(place: "\(place), isAvailable")
        }
        product.localizations = try localizations(value["localizations"], at: "\(place), localizations")
        switch value["file"] {
        case nil: break
        case .string(let file): product.file = file
        default: throw .productsMalformed(place: "\(place), file")
        }
        return product
    }

    /// Parses the texts of a product: `{"en": {"displayName": "Book", "description": "…"}}`.
    private static func localizations(
        _ value: JSONValue?, at place: String
    ) throws(ConfigurationError) -> [String: ServerProduct.Localization]? {
        guard let value else { return nil }
        guard case .object(let members) = value else { throw .productsMalformed(place: place) }
        // reason: the keys are language tags, for which comparison by canonical equivalence is harmless.
        var result: [String: ServerProduct.Localization] = [:]
        for member in members {
            guard case .string(let name) = member.value["displayName"] else { throw .productsMalformed(place: "\(place), \(member.name)") }
            var localization = ServerProduct.Localization(displayName: name)
            switch member.value["description"] {
            case nil: break
            case .string(let text): localization.description = text
            default: throw .productsMalformed(place: "\(place), \(member.name), description")
            }
            result[member.name] = localization
        }
        return result
    }
}
