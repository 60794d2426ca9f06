import Foundation
import FoundationExtras
import PurchaseModel

/// The files with an app's products: the products file, the `.storekit` file, or both.
///
/// A `.storekit` file lists the products of Xcode or App Store Connect with types and texts. The products file adds the server's settings
/// for each product identifier, such as credits, entitlements and content. Types and texts of the products file take precedence.
struct ProductFiles: Sendable {
    /// The modification dates and the sizes of the files, by which the server detects a change.
    struct Stamp: Hashable {
        private let files: [File?]

        private struct File: Hashable {
            let modified: Date?
            let size: Int?
        }

        /// Whether every configured file exists.
        let isComplete: Bool

        init(_ paths: [String]) {
            files = paths.map { path in
                (try? FileManager.default.attributesOfItem(atPath: path)).map {
                    File(modified: $0[.modificationDate] as? Date, size: $0[.size] as? Int)
                }
            }
            isComplete = files.allSatisfy { $0 != nil }
        }
    }

    private let productsFile: String?
    private let storekitFile: String?

    init(_ app: AppConfiguration) {
        productsFile = app.productsFile
        storekitFile = app.storekitFile
    }

    /// Whether the app has neither a products file nor a `.storekit` file.
    var isEmpty: Bool { productsFile == nil && storekitFile == nil }

    /// The current modification dates and sizes of the files.
    var stamp: Stamp { Stamp([productsFile, storekitFile].compactMap { $0 }) }

    /// Reads and validates the products of both files, in the order of the `.storekit` file, and then of the products file.
    ///
    /// - Throws: ``ConfigurationError`` if a file can't be read, or a product is invalid.
    func products() throws(ConfigurationError) -> [ServerProduct] {
        let listed = try storekit()?.products ?? []
        var own: [ServerProduct] = []
        if let productsFile {
            own = try PurchaseServerConfiguration.loadProducts(
                json: try ConfigurationScope.contents(key: "products-file", path: productsFile))
        }
        try PurchaseServerConfiguration.validate(own)
        let products = Self.merge(listed, own)
        try PurchaseServerConfiguration.validate(products)
        return products
    }

    /// The warning about a `.storekit` file of a later version than the latest supported version; nil for a supported version, and without
    /// a file.
    ///
    /// - Throws: ``ConfigurationError`` if the file can't be read.
    func laterVersionWarning() throws(ConfigurationError) -> String? {
        try storekit()?.laterVersionWarning
    }

    private func storekit() throws(ConfigurationError) -> StorekitProducts? {
        guard let storekitFile else { return nil }
        return try StorekitProducts(try ConfigurationScope.contents(key: "storekit-file", path: storekitFile))
    }

    private static func merge(_ listed: [ServerProduct], _ own: [ServerProduct]) -> [ServerProduct] {
        let byID = Dictionary(own.map { ($0.id, $0) }) { first, _ in first }
        let listedIDs = Set(listed.map(\.id))
        let merged = listed.map { product in
            guard var own = byID[product.id] else { return product }
            own.type = own.type ?? product.type
            own.subscriptionGroupID = own.subscriptionGroupID ?? product.subscriptionGroupID
            own.localizations = own.localizations ?? product.localizations
            return own
        }
        return merged + own.filter { !listedIDs.contains($0.id) }
    }
}

/// The products of a `.storekit` file: identifiers, types, names and descriptions.
///
/// The server needs neither prices nor periods, which apps request from the store. The parser ignores unknown members, because each
/// version of Xcode adds members.
///
/// The server has a separate parser, because the parser of `LocalAppStore` would link targets that issue receipts into the server.
struct StorekitProducts {
    /// The latest version of the format that the parser supports.
    private static let latestMajorVersion = 5
    /// The top-level members of a file of a supported version.
    private static let knownMembers: Set = [
        "version", "products", "nonRenewingSubscriptions", "subscriptionGroups", "settings", "identifier", "subscriptionOffersKeyPair",
        "appPolicies",
    ]
    /// The maximum number of ignored members and products that ``laterVersionWarning`` lists.
    private static let ignoredLimit = 20

    /// The products in the order of the file: one-time products, non-renewing subscriptions, and the subscriptions of each group.
    private(set) var products: [ServerProduct] = []
    /// The warning about a file of a later version, with the places of the ignored members and products; nil for a supported version.
    private(set) var laterVersionWarning: String?

    /// Reads a file; the parser skips products of unknown types in a file of a later version.
    ///
    /// - Throws: ``ConfigurationError/storekitMalformed(place:)``.
    init(_ data: Data) throws(ConfigurationError) {
        guard let file = JSONReader.read([UInt8](data)), case .object(let members) = file else {
            throw .storekitMalformed(place: "the beginning")
        }
        let version = Self.version(file)
        let isLater = version.major > Self.latestMajorVersion
        var ignored = members.map(\.name).filter { !Self.knownMembers.contains($0) }.map { String($0.prefix(60)) }
        for key in ["products", "nonRenewingSubscriptions"] {
            for (index, product) in try Self.list(key, of: file, at: key).enumerated() {
                let type = Self.type(of: product, in: key)
                if type == nil, isLater, case .string = product["type"] {
                    ignored.append("\(key)[\(index)]")
                } else {
                    products.append(try Self.read(product, at: "\(key)[\(index)]", type))
                }
            }
        }
        for (number, group) in try Self.list("subscriptionGroups", of: file, at: "subscriptionGroups").enumerated() {
            let place = "subscriptionGroups[\(number)].subscriptions"
            for (index, subscription) in try Self.list("subscriptions", of: group, at: place).enumerated() {
                if isLater, case .string(let type) = subscription["type"], type != "RecurringSubscription" {
                    ignored.append("\(place)[\(index)]")
                    continue
                }
                var product = try Self.read(subscription, at: "\(place)[\(index)]", .autoRenewable)
                if case .string(let id) = group["id"], (1...200).contains(id.utf8.count), IdentifierText.isValid(id) {
                    product.subscriptionGroupID = SubscriptionGroupID(id)
                }
                products.append(product)
            }
        }
        guard isLater else { return }
        let more = ignored.count > Self.ignoredLimit ? " and \(ignored.count - Self.ignoredLimit) more" : ""
        laterVersionWarning =
            "storekit-file: version \(version.major).\(version.minor) is later than version \(Self.latestMajorVersion), the latest known "
            + "version, so only known lists and types of products are used. Ignored: "
            + (ignored.isEmpty ? "nothing" : ignored.prefix(Self.ignoredLimit).joined(separator: ", ") + more) + "."
    }

    /// Returns the version that the file states; 0.0 for a file without a version.
    private static func version(_ file: JSONValue) -> (major: Int, minor: Int) {
        func number(_ key: String) -> Int {
            guard case .number(let digits) = file["version"]?[key] else { return 0 }
            return Int(digits) ?? 0
        }
        return (number("major"), number("minor"))
    }

    private static func list(_ key: String, of object: JSONValue, at place: String) throws(ConfigurationError) -> [JSONValue] {
        switch object[key] {
        case nil, .null: return []
        case .array(let elements): return elements
        default: throw .storekitMalformed(place: place)
        }
    }

    private static func type(of product: JSONValue, in list: String) -> ProductType? {
        switch product["type"] {
        case .string("Consumable"): .consumable
        case .string("NonConsumable"): .nonConsumable
        case .string("NonRenewingSubscription"): .nonRenewing
        default: list == "nonRenewingSubscriptions" ? .nonRenewing : nil
        }
    }

    private static func read(_ product: JSONValue, at place: String, _ type: ProductType?) throws(ConfigurationError) -> ServerProduct {
        guard case .string(let id) = product["productID"], (1...1_024).contains(id.utf8.count), IdentifierText.isValid(id) else {
            throw .storekitMalformed(place: "\(place).productID")
        }
        guard let type else { throw .storekitMalformed(place: "\(place).type") }
        // reason: the keys are language tags, for which comparison by canonical equivalence is harmless.
        var texts: [String: ServerProduct.Localization] = [:]
        for localization in try list("localizations", of: product, at: "\(place).localizations") {
            guard case .string(let locale) = localization["locale"], case .string(let name) = localization["displayName"], !name.isEmpty
            else { continue }
            var text = ServerProduct.Localization(displayName: name)
            if case .string(let description) = localization["description"], !description.isEmpty { text.description = description }
            // Convert a locale name of the file, such as en_US, to a language tag of the catalog (BCP 47).
            let tag = locale.replacing("_", with: "-")
            if texts[tag] == nil { texts[tag] = text }
        }
        return ServerProduct(id: ProductID(id), type: type, localizations: texts.isEmpty ? nil : texts)
    }
}
