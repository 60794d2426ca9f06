import Foundation
import PurchaseModel

/// Reads a `.storekit` file and continues after an error, so that one pass finds all errors.
struct StorekitReader {
    let notes: StorekitNotes
    /// The storefronts that are available in addition to ``Storefront/all``.
    let storefronts: [Storefront]

    private(set) var settings = CatalogSettings()
    private(set) var storefront = Storefront.unitedStates
    private(set) var items: [CatalogProduct] = []
    private(set) var groups: [CatalogGroup] = []
    private(set) var policies = CatalogPolicies()
    private(set) var offerKey: CatalogOfferKey?

    private var identifiers: Set<ProductID> = []
    private var internalIDs: Set<String> = []

    init(notes: StorekitNotes, storefronts: [Storefront]) {
        self.notes = notes
        self.storefronts = storefronts
    }

    mutating func read(_ json: JSONValue) {
        readVersion(json["version"])
        guard let file = StorekitObject(json, at: "", keys: StorekitKeys.file, notes: notes) else { return }
        if let object = file.object("settings", keys: StorekitKeys.settings) {
            settings = readSettings(object)
        }
        chooseStorefront()
        for key in ["products", "nonRenewingSubscriptions"] {
            for object in file.objects(key, keys: StorekitKeys.product) {
                if let product = oneTime(object, in: key) { add(product, object) }
            }
        }
        var names: Set<SubscriptionGroupID> = []
        for object in file.objects("subscriptionGroups", keys: StorekitKeys.group) {
            guard var group = readGroup(object) else { continue }
            if !names.insert(group.id).inserted {
                notes.warning(
                    object.place("id"), "Another group has this identifier, so both count as one: give it an identifier of its own.")
            }
            var winBacks: Set<String> = []
            for subscription in object.objects("subscriptions", keys: StorekitKeys.subscription) {
                guard let product = readSubscription(subscription, in: group.id, winBacks: &winBacks) else { continue }
                if add(product, subscription) { group.products.append(product.id) }
            }
            if group.products.isEmpty {
                notes.warning(object.place("subscriptions"), "The group is empty: add a subscription, or remove it.")
            }
            groups.append(group)
        }
        if let object = file.object("appPolicies", keys: StorekitKeys.policies) { policies = readPolicies(object) }
        if let object = file.object("subscriptionOffersKeyPair", keys: StorekitKeys.keyPair) { offerKey = readKey(object) }
        _ = file.label("identifier")
    }

    /// Reads the version before everything else, because the version decides which keys are too new.
    private func readVersion(_ json: JSONValue?) {
        guard let json, json != .null else {
            return notes.warning("version", "The file does not say its version: write \"version\" : { \"major\" : 4, \"minor\" : 0 }.")
        }
        guard let object = StorekitObject(json, at: "version", keys: StorekitKeys.version, notes: notes) else { return }
        guard object.value("major") != nil else {
            return object.missing("major", "The version lacks its first number: write 4 unless you know better.")
        }
        guard let major = object.integer("major") else { return }
        guard (1...5).contains(major) else {
            return notes.error(.unsupportedVersion(major), "Versions 1 to 5 can be read: save the file in one of them.")
        }
        let minor = object.integer("minor") ?? 0
        if minor < 0 { notes.warning("version.minor", "The number is negative and counts as 0: write the version's second number.") }
        notes.stated = StorekitVersion(major, max(0, minor))
    }

    private mutating func chooseStorefront() {
        let code = settings.storefront
        guard let known = storefronts.first(where: { $0.countryCode == code }) ?? Storefront(countryCode: code) else {
            return notes.unusable("settings._storefront", "the country's store is not known here: write three letters such as USA or DEU.")
        }
        storefront = known
        storefront.locale = settings.locale ?? known.locale
    }

    /// Adds a product, unless another product has the same identifier.
    @discardableResult
    private mutating func add(_ product: CatalogProduct, _ object: StorekitObject) -> Bool {
        guard identifiers.insert(product.id).inserted else {
            notes.error(
                .duplicate(path: object.place("productID"), productID: product.id.rawValue),
                "Another product has the identifier \(StorekitObject.shown(product.id.rawValue)): give each its own."
            )
            return false
        }
        if !product.internalID.isEmpty, !internalIDs.insert(product.internalID).inserted {
            notes.warning(object.place("internalID"), "Another product has this number: give each its own.")
        }
        items.append(product)
        return true
    }
}
