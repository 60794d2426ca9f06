import Crypto
import Foundation
import Logging
package import PurchaseModel
import PurchaseStorage
import ServiceLifecycle
import Synchronization

/// The current catalog of an app: the products of the app's files, and the products that were added through the API.
///
/// A product of the API replaces the product of the files with the same identifier. A running server reads the files and the products again
/// after a change. ``FileProductChange`` decides which products stay in the catalog after the files stop listing them.
package final class CatalogService: CatalogSource {
    /// The interval in seconds at which the server looks for changed files, and for changes by other processes.
    static let refreshSeconds: Int64 = 5

    private struct Current {
        var catalog: ProductCatalog
        var fileProducts: [ServerProduct]
        /// The change of the files that the server has not yet reported; nil for none.
        var change: FileProductChange?
        var stamp: ProductFiles.Stamp
        var revision: Int64
    }

    private let app: BundleID
    private let storage: any PurchaseStorage
    private let files: ProductFiles
    private let declared: DeclaredNames
    private let logger: Logger
    /// The closure that counts the losses of a change of the products; nil to report the products only.
    private let comparison: Losses?
    private let current: Mutex<Current>

    private typealias Losses = @Sendable (_ present: [ServerProduct], _ other: [ServerProduct]) async throws -> CatalogLosses

    /// Creates the catalog from the configured products, and from the products that were added through the API.
    init(_ app: AppConfiguration, of server: ServerResources) async throws {
        var losses: Losses?
        if let comparison = server.comparison {
            losses = { present, other in
                try await comparison(
                    CatalogChange(
                        app: app, server: server.configuration, storage: server.storage, clock: server.clock, present: present,
                        other: other))
            }
        }
        comparison = losses
        self.app = app.bundleID
        storage = server.storage
        logger = server.logger
        files = ProductFiles(app)
        declared = app.declaredNames
        let stamp = files.stamp
        if let warning = try? files.laterVersionWarning() { logger.warning("\(warning)") }
        let (products, revision, known) = try await storage.read(app.bundleID) {
            (try $0.products(), try $0.catalogRevision(), try $0.fileProducts())
        }
        let change = files.isEmpty ? nil : FileProductChange(from: known, to: app.products)
        let fileProducts = change?.products ?? app.products
        current = Mutex(
            Current(
                catalog: Self.catalog(fileProducts, products, declared: app.declaredNames), fileProducts: fileProducts, change: change,
                stamp: stamp, revision: revision))
    }

    package var catalog: ProductCatalog { current.withLock { $0.catalog } }
    package var versioned: (catalog: ProductCatalog, revision: Int64) { current.withLock { ($0.catalog, $0.revision) } }

    /// The products of the files, and the products that stay in the catalog after the files stop listing them.
    package var fileProducts: [ServerProduct] { current.withLock { $0.fileProducts } }

    /// Updates the catalog if the product files, or the products that were added through the API, have changed.
    ///
    /// An invalid file leaves the catalog unchanged, and the server logs the error once.
    func refresh() async throws {
        let known = current.withLock { ($0.revision, $0.stamp, $0.fileProducts, $0.change) }
        var (fileProducts, change) = (known.2, known.3)
        var stamp = files.stamp
        // Ignore a missing file, because an editor can replace a file in two steps.
        if !stamp.isComplete { stamp = known.1 }
        if !files.isEmpty, stamp != known.1 {
            do throws(ConfigurationError) {
                let listed = try files.products()
                change = FileProductChange(from: known.3?.known ?? known.2, to: listed)
                fileProducts = change?.products ?? listed
                if let warning = try files.laterVersionWarning() { logger.warning("\(warning)") }
                logger.notice("the products were read again", metadata: ["products": "\(fileProducts.count)"])
            } catch { logger.error("the changed products are not used, because they are invalid: \(error)") }
        }
        let revision = try await storage.read(app) { try $0.catalogRevision() }
        guard revision != known.0 || stamp != known.1 else { return }
        let (products, newest) = try await storage.read(app) { (try $0.products(), try $0.catalogRevision()) }
        current.withLock { [fileProducts, change, stamp] in
            $0 = Current(
                catalog: Self.catalog(fileProducts, products, declared: declared), fileProducts: fileProducts, change: change, stamp: stamp,
                revision: newest)
        }
    }

    /// Logs the entitlements that customers lose through a change of the files, or would lose if the catalog did not keep unlisted
    /// products, and stores the changed products.
    ///
    /// The cost grows with the number of purchases, so only the background service of a server calls this method.
    func reportChange() async throws {
        guard let change = current.withLock({ $0.change }) else { return }
        if !change.kept.isEmpty {
            await warn(
                """
                the products files no longer list products that customers have; the catalog contains these products until the products \
                file lists them with "entitlements": [] to end the access, or with "isAvailable": false to continue the access
                """, change.kept, losing: change.products, change.listed)
        }
        if !change.reduced.isEmpty {
            await warn("the purchases of products give less than before", change.reduced, losing: change.known, change.products)
        }
        if change.isNew { try await storage.write(app) { try $0.setFileProducts(change.products) } }
        current.withLock { if $0.change == change { $0.change = nil } }
    }

    /// Logs a warning about products, with the number of customers who lose each entitlement.
    private func warn(
        _ message: Logger.Message, _ products: [ServerProduct], losing present: [ServerProduct], _ other: [ServerProduct]
    ) async {
        var metadata: Logger.Metadata = [
            "app": "\(app)", "products": "\(products.prefix(20).map(\.id.rawValue).joined(separator: " "))", "count": "\(products.count)",
        ]
        do {
            if let losses = try await comparison?(present, other) {
                let lost = losses.lost.filter { $0.value > 0 }.sorted { $0.key < $1.key }
                metadata["customers"] = "\(losses.customers)"
                metadata["lost"] = "\(lost.map { "\($0.key): \($0.value)" }.joined(separator: ", "))"
            }
        } catch { metadata["error"] = "\(error)" }
        logger.warning(message, metadata: metadata)
    }

    /// Adds products to the catalog, or replaces products with the same identifiers.
    ///
    /// - Throws: ``CatalogRefusal`` for an invalid product; nothing is changed.
    func put(_ products: [ServerProduct]) async throws {
        guard (1...1_000).contains(products.count) else { throw CatalogRefusal.count }
        do throws(ConfigurationError) { try PurchaseServerConfiguration.validate(products) } catch { throw CatalogRefusal.invalid(error) }
        try await storage.write(app) { records in for product in products { try records.put(product) } }
        try await refresh()
    }

    /// Removes a product that was added through the API; the catalog then contains the files' product with the same identifier.
    func remove(_ id: ProductID) async throws {
        guard try await storage.write(app, { try $0.removeProduct(id) }) else { throw CatalogRefusal.unknown(id) }
        try await refresh()
    }

    /// Returns the catalog of the files' products, in which each product of the API replaces the product with the same identifier.
    static func catalog(_ file: [ServerProduct], _ added: [ServerProduct], declared: DeclaredNames = DeclaredNames()) -> ProductCatalog {
        let replaced = Set(added.map(\.id))
        return ProductCatalog(file.filter { !replaced.contains($0.id) } + added, declared: declared)
    }
}

extension ProductCatalog {
    /// Returns the available products with the texts of one language, or with all texts if `language` is nil.
    func listing(_ language: String?) -> [ServerProduct] {
        products.filter { $0.isAvailable ?? true }.map { product in
            guard let language, let texts = product.localizations else { return product }
            var product = product
            // RFC 4647, section 3.4: shorten the language tag from its end until a text has the tag.
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

/// A service that reads changed catalogs in the background.
struct CatalogRefreshService: Service {
    let catalogs: [CatalogService]
    let timer: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                for catalog in catalogs {
                    do {
                        try await catalog.refresh()
                        try await catalog.reportChange()
                    } catch { logger.warning("the catalog can't be read; the last one is used", metadata: ["error": "\(error)"]) }
                }
            } while (try? await sleep()) != nil
        }
    }

    private func sleep() async throws {
        try await timer.sleep(for: .seconds(CatalogService.refreshSeconds))
    }
}
