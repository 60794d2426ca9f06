import Foundation
import FoundationExtras
import PurchaseModel

/// The reader of a `.storekit` file, which continues after an error so that it finds all errors in one pass.
struct StorekitReader {
    let diagnostics: StorekitDiagnostics
    /// The storefronts that the file may name in addition to ``Storefront/all``.
    let storefronts: [Storefront]

    private(set) var settings = CatalogSettings()
    private(set) var storefront = Storefront.unitedStates
    private(set) var items: [CatalogProduct] = []
    private(set) var groups: [CatalogGroup] = []
    private(set) var policies = CatalogPolicies()
    private(set) var offerKey: CatalogOfferKey?

    private var identifiers: Set<ProductID> = []
    private var internalIDs: Set<OpaqueText> = []

    init(diagnostics: StorekitDiagnostics, storefronts: [Storefront]) {
        self.diagnostics = diagnostics
        self.storefronts = storefronts
    }

    mutating func read(_ json: JSONValue) {
        readVersion(json["version"])
        guard let file = StorekitObject(json, at: "", keys: StorekitKeys.file, diagnostics: diagnostics) else { return }
        if let object = file.object("settings", keys: StorekitKeys.settings) {
            settings = readSettings(object)
        }
        chooseStorefront()
        for key in ["products", "nonRenewingSubscriptions"] {
            for object in file.objects(key, keys: StorekitKeys.product) {
                if let product = readOneTimeProduct(object, in: key) { add(product, object) }
            }
        }
        var names: Set<SubscriptionGroupID> = []
        for object in file.objects("subscriptionGroups", keys: StorekitKeys.group) {
            guard var group = readGroup(object) else { continue }
            if !names.insert(group.id).inserted {
                diagnostics.warning(
                    object.memberPath("id"), "Another group has the same identifier, so both are merged: use unique identifiers.")
            }
            var winBackOfferIDs: Set<OpaqueText> = []
            let subscriptions = object.objects("subscriptions", keys: StorekitKeys.subscription)
            for subscription in subscriptions {
                guard let product = readSubscription(subscription, in: group.id, winBackOfferIDs: &winBackOfferIDs) else { continue }
                if add(product, subscription) { group.products.append(product.id) }
            }
            if subscriptions.isEmpty {
                diagnostics.warning(
                    object.memberPath("subscriptions"), "The subscription group is empty: add a subscription, or remove the group.")
            }
            groups.append(group)
        }
        if let object = file.object("appPolicies", keys: StorekitKeys.policies) { policies = readPolicies(object) }
        if let object = file.object("subscriptionOffersKeyPair", keys: StorekitKeys.keyPair) { offerKey = readKey(object) }
        _ = file.label("identifier")
    }

    /// Reads the file's version, which is read first because it determines which keys are too new.
    private func readVersion(_ json: JSONValue?) {
        guard let json, json != .null else {
            return diagnostics.warning(
                "version", "The file has no version: add \"version\" : { \"major\" : 4, \"minor\" : 0 }.")
        }
        guard let object = StorekitObject(json, at: "version", keys: StorekitKeys.version, diagnostics: diagnostics) else { return }
        guard object.value("major") != nil else {
            return object.missing("major", "The file's major version is missing: use 4.")
        }
        guard let major = object.integer("major") else { return }
        guard major >= 1 else {
            return diagnostics.error(.unsupportedVersion(major), "The file has version \(major), but the first version is 1: use 4.")
        }
        let minor = object.integer("minor") ?? 0
        if minor < 0 { diagnostics.warning("version.minor", "The minor version is negative, and 0 is used: use 0 or more.") }
        diagnostics.declaredVersion = StorekitVersion(major, max(0, minor))
    }

    private mutating func chooseStorefront() {
        let code = settings.storefront
        guard let known = storefronts.first(where: { $0.countryCode == code }) ?? Storefront(countryCode: code) else {
            return diagnostics.invalidValue(
                "settings._storefront", "the storefront is unknown: use an alpha-3 country code such as USA or DEU.")
        }
        storefront = known
        storefront.locale = settings.locale ?? known.locale
    }

    /// Adds a product to the catalog; adds an error and returns false if another product has the same identifier.
    @discardableResult
    private mutating func add(_ product: CatalogProduct, _ object: StorekitObject) -> Bool {
        guard identifiers.insert(product.id).inserted else {
            diagnostics.error(
                .duplicate(path: object.memberPath("productID"), productID: product.id.rawValue),
                "Another product has the identifier \(StorekitObject.printable(product.id.rawValue)): use unique identifiers."
            )
            return false
        }
        if !product.internalID.isEmpty, !internalIDs.insert(OpaqueText(product.internalID)).inserted {
            diagnostics.warning(object.memberPath("internalID"), "Another product has the same internal identifier: use unique ones.")
        }
        items.append(product)
        return true
    }
}
