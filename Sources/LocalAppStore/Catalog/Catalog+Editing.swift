public import Foundation
public import PurchaseModel

extension Catalog {
    /// The catalog as a `.storekit` file, as Xcode writes it.
    ///
    /// Keys that nobody here knows are where they were. The version is the one that was read, raised where the content needs a later one;
    /// it is 4.0 for a catalog that was not read from a file.
    public var storekit: Data {
        StorekitWriter.write(Self.versioned(contents.file, needed: contents.neededVersion), contents.style)
    }

    /// The catalog with a product added, or changed if one of its identifier is there; a missing group is made.
    ///
    /// Costs time for each product of the catalog, as every change does, for the file is read again.
    ///
    /// - Throws: ``CatalogError`` when the file would not be usable.
    public func setting(_ product: CatalogProduct) throws(CatalogError) -> Catalog {
        for money in product.ownPrices where money.currency != storefront.currency {
            throw .unusable(
                path: "displayPrice", reason: "the price is in \(money.currency), the storefront charges in \(storefront.currency).")
        }
        guard [.autoRenewable, .freeSubscription].contains(product.type) == (product.subscription != nil) else {
            throw .unusable(path: "subscription", reason: "subscriptions that renew or are free belong to a group, and nothing else does.")
        }
        var file = contents.file
        let old = item(product.id)
        let json = Self.take(product.id, from: &file, keepingPlace: old.map { Self.isSamePlace($0, product) } ?? false)
        let result = StorekitProductEdit(new: product, old: old, json: json ?? .object([])).result
        Self.put(result, product, in: &file)
        return try edited(file)
    }

    /// The catalog without a product; the same if there is none of that identifier.
    ///
    /// Customers who bought it keep it: their transactions say all about it.
    public func removing(_ id: ProductID) throws(CatalogError) -> Catalog {
        guard item(id) != nil else { return self }
        var file = contents.file
        _ = Self.take(id, from: &file, keepingPlace: false)
        return try edited(file)
    }

    /// The catalog with a group added, or changed if one of its identifier is there; its subscriptions stay as they are.
    public func setting(_ group: CatalogGroup) throws(CatalogError) -> Catalog {
        var file = contents.file
        let old = self.group(group.id)
        file.change("subscriptionGroups") { groups in
            let index = groups.firstIndex { $0.names("id", group.id.rawValue) }
            var json = index.map { groups[$0] } ?? Self.emptyGroup(group.id)
            json.set("name", to: group.name, unless: old?.name) { .string($0) }
            let texts = json["localizations"]?.elements ?? []
            json.set("localizations", to: group.localizations, unless: old?.localizations) { StorekitWords.localizations($0, over: texts) }
            if let index { groups[index] = json } else { groups.append(json) }
        }
        return try edited(file)
    }

    /// The catalog with other settings.
    ///
    /// Prices keep their digits when the storefront changes, as they do in Xcode.
    public func setting(_ settings: CatalogSettings) throws(CatalogError) -> Catalog {
        var file = contents.file
        var json = file["settings"] ?? .object([])
        StorekitSettingsEdit.write(settings, self.settings, to: &json)
        file.set("settings", to: json)
        return try edited(file)
    }

    private func edited(_ file: JSONValue) throws(CatalogError) -> Catalog {
        let contents = try CatalogContents.read(file, style: self.contents.style, storefronts: self.contents.storefronts)
        let raised = Self.versioned(file, needed: contents.neededVersion)
        guard raised != file else { return Catalog(contents) }
        return Catalog(try CatalogContents.read(raised, style: contents.style, storefronts: contents.storefronts))
    }

    /// The file with a version that holds its content.
    private static func versioned(_ file: JSONValue, needed: StorekitVersion) -> JSONValue {
        var file = file
        var json = file["version"].flatMap { $0 == .null ? nil : $0 } ?? .object([])
        let stated = json["major"].flatMap(StorekitObject.integer).map {
            StorekitVersion($0, json["minor"].flatMap(StorekitObject.integer) ?? 0)
        }
        guard stated.map({ $0 < needed }) ?? true else { return file }
        let version = stated == nil ? max(needed, .usual) : needed
        json.set("major", to: .number(version.major))
        json.set("minor", to: .number(version.minor))
        file.set("version", to: json)
        return file
    }
}
