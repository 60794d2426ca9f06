import Foundation
import FoundationExtras
import PurchaseModel

extension StorekitReader {
    /// Reads a product that is not an auto-renewable subscription; returns nil and adds an error if the product is invalid.
    ///
    /// - Parameter list: The key of the list that contains the product: `products` or `nonRenewingSubscriptions`.
    func readOneTimeProduct(_ object: StorekitObject, in list: String) -> CatalogProduct? {
        let isNonRenewingList = list == "nonRenewingSubscriptions"
        let name = object.string("type") ?? (isNonRenewingList && object.value("type") == nil ? "NonRenewingSubscription" : nil)
        let type: ProductType? =
            switch name {
            case "Consumable": .consumable
            case "NonConsumable": .nonConsumable
            case "NonRenewingSubscription": .nonRenewing
            default: nil
            }
        // A product of a type that a later version has introduced can lack the members of the other types.
        if type == nil, name != nil, name != "RecurringSubscription", diagnostics.isLaterVersion {
            diagnostics.ignoreElement(object.path, because: object.memberPath("type"))
            return nil
        }
        let product = readProduct(object, type ?? .consumable)
        guard let type else {
            switch name {
            case nil where object.value("type") == nil:
                object.missing("type", "The product's type is missing: use Consumable, NonConsumable or NonRenewingSubscription.")
            case nil: break
            case "RecurringSubscription"?:
                diagnostics.invalidValue(
                    object.memberPath("type"),
                    "an auto-renewable subscription requires a subscription group: move the product to subscriptionGroups.")
            case _?:
                diagnostics.invalidValue(
                    object.memberPath("type"), "the product type must be Consumable, NonConsumable or NonRenewingSubscription.")
            }
            return nil
        }
        if type == .nonRenewing, !isNonRenewingList, diagnostics.declaredVersion.map({ $0 > StorekitVersion(1, 0) }) ?? true {
            diagnostics.warning(object.path, "The list products contains a non-renewing subscription: move it to nonRenewingSubscriptions.")
        }
        if type != .nonRenewing, isNonRenewingList {
            diagnostics.warning(
                object.path, "nonRenewingSubscriptions contains another type of product: move the product to the list products.")
        }
        if type == .consumable || type == .nonRenewing, product?.isFamilyShareable == true {
            diagnostics.warning(
                object.memberPath("familyShareable"),
                "Family Sharing supports only non-consumables and auto-renewable subscriptions: use false.")
        }
        return product
    }

    /// Reads the members that products of all types have; returns nil and adds an error if the product is invalid.
    func readProduct(_ object: StorekitObject, _ type: ProductType) -> CatalogProduct? {
        let id = identifier(object)
        // Xcode writes an empty price until the author enters one, and sells the product for 0.
        let priceText = object.string("displayPrice") ?? ""
        if priceText.isEmpty, object.value("displayPrice").map({ $0.text != nil }) ?? true {
            diagnostics.warning(
                object.memberPath("displayPrice"), "The product's price is missing, and 0 is used: use a decimal such as 0.99.")
        }
        let price =
            priceText.isEmpty
            ? Money(milliunits: 0, currency: storefront.currency) : money(priceText, at: object.memberPath("displayPrice"))
        let localizations = readLocalizations(object)
        if localizations.isEmpty {
            diagnostics.warning(
                object.memberPath("localizations"),
                "The product has no localization, so the store shows the reference name: add a localization for en_US.")
        }
        guard let id, let price else { return nil }
        return CatalogProduct(
            id: id, type: type, referenceName: object.label("referenceName"), internalID: object.label("internalID"), price: price,
            prices: readPrices(object), isFamilyShareable: object.bool("familyShareable") ?? false, localizations: localizations
        )
    }

    private func identifier(_ object: StorekitObject) -> ProductID? {
        guard object.value("productID") != nil else {
            object.missing("productID", "The product's identifier is missing: use an identifier such as com.example.app.coins.")
            return nil
        }
        guard let text = object.string("productID") else { return nil }
        guard !text.isEmpty, text.count <= Catalog.identifierLimit, IdentifierText.isValid(text) else {
            diagnostics.invalidValue(
                object.memberPath("productID"),
                "a product identifier has 1 to \(Catalog.identifierLimit) characters and no control characters."
            )
            return nil
        }
        return ProductID(text)
    }

    /// Reads an amount in the currency of the file's storefront; returns nil and adds an error if the text is not an amount.
    func money(_ text: String, at path: String) -> Money? {
        guard let money = Money(decimal: text, currency: storefront.currency) else {
            diagnostics.invalidValue(path, "the amount must be a plain decimal such as 0.99.")
            return nil
        }
        let currency = StoreCurrency(storefront.currency)
        if money.milliunits % currency.milliunitsPerMinorUnit != 0 {
            diagnostics.warning(path, "The price has too many decimals: amounts in \(currency.code) have \(currency.decimals) decimals.")
        }
        return money
    }

    func readLocalizations(_ object: StorekitObject) -> [CatalogLocalization] {
        // reason: the elements are normalized names of locales.
        var locales: Set<String> = []
        return object.objects("localizations", keys: StorekitKeys.localization).map { object in
            let text = CatalogLocalization(
                locale: object.label("locale"), name: object.label("displayName"), summary: object.label("description")
            )
            if !LocaleName(text.locale).isValid {
                diagnostics.warning(object.memberPath("locale"), "The value is not a locale: use a locale such as en_US or ko.")
            } else if !locales.insert(LocaleName(text.locale).normalized).inserted {
                diagnostics.warning(
                    object.memberPath("locale"),
                    "Two localizations have the same locale, and only the first is used: remove one.")
            }
            if text.name.isEmpty {
                diagnostics.warning(object.memberPath("displayName"), "The localization's display name is empty: add a name.")
            }
            return text
        }
    }

    /// Reads the prices that the file sets for individual countries, by country code.
    private func readPrices(_ object: StorekitObject) -> [String: Money] {
        guard case .object(let members)? = object.value("_tillrollPrices") else {
            if object.value("_tillrollPrices") != nil {
                diagnostics.warning(
                    object.memberPath("_tillrollPrices"), "The prices by country are ignored: use an object such as { \"DEU\" : \"0.99\" }."
                )
            }
            return [:]
        }
        // reason: the keys are the country codes of storefronts.
        var prices: [String: Money] = [:]
        for member in members where prices[member.name] == nil {
            let country = storefronts.first { $0.countryCode == member.name } ?? Storefront(countryCode: member.name)
            guard let country, let money = member.value.text.flatMap({ Money(decimal: $0, currency: country.currency) }) else {
                diagnostics.warning(
                    object.memberPath("_tillrollPrices"),
                    "Invalid price for \(StorekitObject.printable(member.name)): use a known country code and a decimal in quotation marks."
                )
                continue
            }
            prices[member.name] = money
        }
        return prices
    }
}
