import Crypto
import Foundation
import Logging
import PurchaseModel
import PurchaseProtocol
import Synchronization

/// The current catalog of an app: the products of its files, and those that were added through the API.
///
/// A product of the API replaces one of the files with the same identifier. Both sources are read again while the server runs.
final class CatalogService: CatalogSource {
    /// The time in seconds after which a change of another process, or of a file, takes effect.
    static let refreshSeconds: Int64 = 5

    private struct Current {
        var catalog: Catalog
        var fileProducts: [ServerProduct]
        var stamp: ProductFiles.Stamp
        var revision: Int64
    }

    private let app: BundleID
    private let storage: any PurchaseStorage
    private let files: ProductFiles
    private let logger: Logger
    private let current: Mutex<Current>

    /// Reads the products of an app.
    init(_ app: AppConfiguration, storage: any PurchaseStorage, logger: Logger) async throws {
        self.app = app.bundleID
        self.storage = storage
        self.logger = logger
        files = ProductFiles(app)
        let stamp = files.stamp
        if let warning = try? files.laterVersionWarning() { logger.warning("\(warning)") }
        let (products, revision) = try await storage.read(app.bundleID) { (try $0.products(), try $0.catalogRevision()) }
        current = Mutex(
            Current(
                catalog: Self.catalog(app.products, products), fileProducts: app.products, stamp: stamp, revision: revision))
    }

    /// The current catalog.
    var catalog: Catalog { current.withLock { $0.catalog } }

    /// Reads the files and the products of the API again if they have changed.
    ///
    /// An invalid file changes nothing, and its error is logged once.
    func refresh() async throws {
        let known = current.withLock { ($0.revision, $0.stamp, $0.fileProducts) }
        var fileProducts = known.2
        var stamp = files.stamp
        // A file that is missing for a moment, because an editor replaces it, changes nothing.
        if !stamp.isComplete { stamp = known.1 }
        if !files.isEmpty, stamp != known.1 {
            do throws(ConfigurationError) {
                fileProducts = try files.products()
                if let warning = try files.laterVersionWarning() { logger.warning("\(warning)") }
                logger.notice("the products were read again", metadata: ["products": "\(fileProducts.count)"])
            } catch { logger.error("the changed products are not used, because they are invalid: \(error)") }
        }
        let revision = try await storage.read(app) { try $0.catalogRevision() }
        guard revision != known.0 || stamp != known.1 else { return }
        let (products, newest) = try await storage.read(app) { (try $0.products(), try $0.catalogRevision()) }
        current.withLock { [fileProducts, stamp] in
            $0 = Current(catalog: Self.catalog(fileProducts, products), fileProducts: fileProducts, stamp: stamp, revision: newest)
        }
    }

    /// Adds or replaces products.
    ///
    /// - Throws: ``CatalogRefusal`` for an invalid product; nothing is changed.
    func put(_ products: [ServerProduct]) async throws {
        guard (1...1_000).contains(products.count) else { throw CatalogRefusal.count }
        do throws(ConfigurationError) { try PurchaseServerConfiguration.validate(products) } catch { throw CatalogRefusal.invalid(error) }
        try await storage.write(app) { records in for product in products { try records.put(product) } }
        try await refresh()
    }

    /// Removes a product that was added through the API; a product of the files with the same identifier counts again.
    func remove(_ id: ProductID) async throws {
        guard try await storage.write(app, { try $0.removeProduct(id) }) else { throw CatalogRefusal.unknown(id) }
        try await refresh()
    }

    /// Returns the catalog of the products of files, which products of the API replace.
    static func catalog(_ file: [ServerProduct], _ added: [ServerProduct]) -> Catalog {
        let replaced = Set(added.map(\.id))
        return Catalog(file.filter { !replaced.contains($0.id) } + added)
    }
}

extension Catalog {
    /// The products that apps list, with the texts of one language, or with all texts if `language` is nil.
    func listing(_ language: String?) -> [ServerProduct] {
        products.filter { $0.isAvailable ?? true }.map { product in
            guard let language, let texts = product.localizations else { return product }
            var product = product
            // The lookup of RFC 4647: the tag is shortened from its end until a text is found.
            var tag = language[...]
            var found: (String, ServerProduct.Localization)?
            while found == nil, !tag.isEmpty {
                found = texts.first { $0.key.lowercased() == tag.lowercased() }
                tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
            }
            product.localizations = found.map { [$0.0: $0.1] }
            return product
        }
    }
}
