public import Foundation
import FoundationExtras
public import PurchaseModel

extension Catalog {
    /// The catalog as a `.storekit` file in Xcode's format.
    ///
    /// Unknown keys of the file from which the catalog was read stay in the file. The file also keeps that file's version, or has version
    /// 4.0 if the catalog was not read from a file. If the content requires a later version, the file has that version.
    public var storekit: Data {
        StorekitWriter.write(Self.versioned(contents.file, requiredVersion: contents.requiredVersion), contents.style)
    }

    /// Returns the catalog with a product added, or replaced if the catalog has a product with the identifier.
    ///
    /// A subscription group that the catalog does not have is created.
    ///
    /// The call takes time proportional to the number of products in the catalog, because it parses the file again.
    ///
    /// - Throws: ``CatalogError`` if the changed catalog is not a valid `.storekit` file, for example because of a price in a wrong
    ///   currency.
    public func setting(_ product: CatalogProduct) throws(CatalogError) -> Catalog {
        for money in product.allPrices where money.currency != storefront.currency {
            throw .invalidValue(
                path: "displayPrice", reason: "the price is in \(money.currency), the storefront charges in \(storefront.currency).")
        }
        guard [.autoRenewable, .freeSubscription].contains(product.type) == (product.subscription != nil) else {
            throw .invalidValue(
                path: "subscription",
                reason: "auto-renewable and free subscriptions require a subscription group, and other products cannot have one.")
        }
        var file = contents.file
        let old = item(product.id)
        let json = Self.extract(product.id, from: &file, keepingPosition: old.map { Self.isSameLocation($0, product) } ?? false)
        let result = StorekitProductEdit(new: product, old: old, json: json ?? .object([])).result
        Self.insert(result, product, in: &file)
        return try edited(file)
    }

    /// Returns the catalog without a product; an unchanged catalog if no product has the identifier.
    ///
    /// Accounts keep their purchases of the product, because a transaction contains all data that it needs about its product.
    public func removing(_ id: ProductID) throws(CatalogError) -> Catalog {
        guard item(id) != nil else { return self }
        var file = contents.file
        _ = Self.extract(id, from: &file, keepingPosition: false)
        return try edited(file)
    }

    /// Returns the catalog with a subscription group added, or changed if the catalog has a group with the identifier.
    ///
    /// The subscriptions of the group do not change.
    public func setting(_ group: CatalogGroup) throws(CatalogError) -> Catalog {
        var file = contents.file
        let old = self.group(group.id)
        file.change("subscriptionGroups") { groups in
            let index = groups.firstIndex { $0.hasValue("id", group.id.rawValue) }
            var json = index.map { groups[$0] } ?? Self.emptyGroup(group.id)
            json.set("name", to: group.name, unless: old?.name) { .string($0) }
            let texts = json["localizations"]?.elements ?? []
            json.set("localizations", to: group.localizations, unless: old?.localizations) {
                StorekitEncoding.localizations($0, over: texts)
            }
            if let index { groups[index] = json } else { groups.append(json) }
        }
        return try edited(file)
    }

    /// Returns the catalog with other settings.
    ///
    /// If the storefront changes, the prices keep their numbers and get the new storefront's currency, as in Xcode.
    public func setting(_ settings: CatalogSettings) throws(CatalogError) -> Catalog {
        var file = contents.file
        var json = file["settings"] ?? .object([])
        StorekitSettingsEdit.write(settings, self.settings, to: &json)
        file.set("settings", to: json)
        return try edited(file)
    }

    private func edited(_ file: JSONValue) throws(CatalogError) -> Catalog {
        let contents = try CatalogContents.read(file, style: self.contents.style, storefronts: self.contents.storefronts)
        let upgraded = Self.versioned(file, requiredVersion: contents.requiredVersion)
        guard upgraded != file else { return Catalog(contents) }
        return Catalog(try CatalogContents.read(upgraded, style: contents.style, storefronts: contents.storefronts))
    }

    /// Returns a file with its version raised to `requiredVersion` if the file's version is lower or missing.
    private static func versioned(_ file: JSONValue, requiredVersion: StorekitVersion) -> JSONValue {
        var file = file
        var json = file["version"].flatMap { $0 == .null ? nil : $0 } ?? .object([])
        let declaredVersion = json["major"].flatMap(StorekitObject.integer).map {
            StorekitVersion($0, json["minor"].flatMap(StorekitObject.integer) ?? 0)
        }
        guard declaredVersion.map({ $0 < requiredVersion }) ?? true else { return file }
        let version = declaredVersion == nil ? max(requiredVersion, .preferred) : requiredVersion
        json.set("major", to: .number(version.major))
        json.set("minor", to: .number(version.minor))
        file.set("version", to: json)
        return file
    }
}
