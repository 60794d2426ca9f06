import Foundation
import PurchaseModel

extension StorekitReader {
    /// Reads a product that does not renew automatically; returns nil and adds an error if the product is invalid.
    func oneTime(_ object: StorekitObject, in list: String) -> CatalogProduct? {
        let isNonRenewingList = list == "nonRenewingSubscriptions"
        let name = object.string("type") ?? (isNonRenewingList && object.value("type") == nil ? "NonRenewingSubscription" : nil)
        let type: ProductType? =
            switch name {
            case "Consumable": .consumable
            case "NonConsumable": .nonConsumable
            case "NonRenewingSubscription": .nonRenewing
            default: nil
            }
        let product = readProduct(object, type ?? .consumable)
        guard let type else {
            switch name {
            case nil where object.value("type") == nil:
                object.missing("type", "The product's type is missing: write Consumable, NonConsumable or NonRenewingSubscription.")
            case nil: break
            case "RecurringSubscription"?:
                notes.unusable(object.place("type"), "a subscription that renews belongs into a group: move it to subscriptionGroups.")
            case _?:
                notes.unusable(object.place("type"), "it is none of Consumable, NonConsumable and NonRenewingSubscription.")
            }
            return nil
        }
        if type == .nonRenewing, !isNonRenewingList, notes.stated.map({ $0 > StorekitVersion(1, 0) }) ?? true {
            notes.warning(object.path, "A non-renewing subscription belongs into nonRenewingSubscriptions: move it there.")
        }
        if type != .nonRenewing, isNonRenewingList {
            notes.warning(object.path, "Only non-renewing subscriptions belong here: move it to products.")
        }
        if type == .consumable || type == .nonRenewing, product?.isFamilyShareable == true {
            notes.warning(object.place("familyShareable"), "Families share non-consumables and renewing subscriptions only: write false.")
        }
        return product
    }

    /// Reads the members that every product has; returns nil and adds an error if the product is invalid.
    func readProduct(_ object: StorekitObject, _ type: ProductType) -> CatalogProduct? {
        let id = identifier(object)
        // Xcode leaves the price empty until the author enters one; until then the product costs nothing.
        let written = object.string("displayPrice") ?? ""
        if written.isEmpty, object.value("displayPrice").map({ $0.text != nil }) ?? true {
            notes.warning(object.place("displayPrice"), "The price is missing and counts as 0: write a decimal such as 0.99.")
        }
        let price = written.isEmpty ? Money(milliunits: 0, currency: storefront.currency) : money(written, at: object.place("displayPrice"))
        let localizations = readLocalizations(object)
        if localizations.isEmpty {
            notes.warning(object.place("localizations"), "The product has no texts, so its reference name is shown: add one of en_US.")
        }
        guard let id, let price else { return nil }
        return CatalogProduct(
            id: id, type: type, referenceName: object.label("referenceName"), internalID: object.label("internalID"), price: price,
            prices: readPrices(object), isFamilyShareable: object.bool("familyShareable") ?? false, localizations: localizations
        )
    }

    private func identifier(_ object: StorekitObject) -> ProductID? {
        guard object.value("productID") != nil else {
            object.missing("productID", "The product's identifier is missing: write one such as com.example.app.coins.")
            return nil
        }
        guard let text = object.string("productID") else { return nil }
        guard !text.isEmpty, text.count <= Catalog.identifierLimit, IdentifierText.isValid(text) else {
            notes.unusable(
                object.place("productID"), "it has no character, a control character, or more than \(Catalog.identifierLimit) characters."
            )
            return nil
        }
        return ProductID(text)
    }

    /// An amount in the file's currency; returns nil and adds an error if the text is not an amount.
    func money(_ text: String, at path: String) -> Money? {
        guard let money = Money(decimal: text, currency: storefront.currency) else {
            notes.unusable(path, "it is not a plain decimal such as 0.99.")
            return nil
        }
        let currency = StoreCurrency(storefront.currency)
        if money.milliunits % currency.milliunitsOfSmallest != 0 {
            notes.warning(path, "The price is finer than \(currency.code) can be paid: it has \(currency.decimals) decimals.")
        }
        return money
    }

    func readLocalizations(_ object: StorekitObject) -> [CatalogLocalization] {
        var locales: Set<String> = []
        return object.objects("localizations", keys: StorekitKeys.localization).map { object in
            let text = CatalogLocalization(
                locale: object.label("locale"), name: object.label("displayName"), summary: object.label("description")
            )
            if !LocaleName(text.locale).isSensible {
                notes.warning(object.place("locale"), "This names no language: write one such as en_US or ko.")
            } else if !locales.insert(LocaleName(text.locale).normalized).inserted {
                notes.warning(object.place("locale"), "These texts are there twice in one language and the first count: remove one.")
            }
            if text.name.isEmpty {
                notes.warning(object.place("displayName"), "The name is empty, so customers see none: write one.")
            }
            return text
        }
    }

    /// Reads the prices that are set for individual countries.
    private func readPrices(_ object: StorekitObject) -> [String: Money] {
        guard case .object(let members)? = object.value("_tillrollPrices") else {
            if object.value("_tillrollPrices") != nil {
                notes.warning(object.place("_tillrollPrices"), "This is no object of prices by country, such as { \"DEU\" : \"0.99\" }.")
            }
            return [:]
        }
        var prices: [String: Money] = [:]
        for member in members where prices[member.name] == nil {
            let country = storefronts.first { $0.countryCode == member.name } ?? Storefront(countryCode: member.name)
            guard let country, let money = member.value.text.flatMap({ Money(decimal: $0, currency: country.currency) }) else {
                notes.warning(
                    object.place("_tillrollPrices"),
                    "The price for \(StorekitObject.shown(member.name)) is ignored: write a known country and a decimal in quotation marks."
                )
                continue
            }
            prices[member.name] = money
        }
        return prices
    }
}
