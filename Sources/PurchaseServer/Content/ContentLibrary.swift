import ContentStorage
import Foundation
import PurchaseModel
import PurchaseStorage

/// Finds the items and the versions of a product's content, and reads the bytes from the content storage.
///
/// A request never names an object of the storage: the server looks up the item and the version, and derives the object's key from the
/// record.
struct ContentLibrary: Sendable {
    let app: BundleID
    let records: any PurchaseStorage
    let catalog: any CatalogSource
    let storage: any ContentStorage
    let catalogFiles: CatalogFiles

    init(app: BundleID, records: any PurchaseStorage, catalog: any CatalogSource, storage: any ContentStorage) {
        self.app = app
        self.records = records
        self.catalog = catalog
        self.storage = storage
        catalogFiles = CatalogFiles(storage)
    }

    /// Returns whether a product has content, without accessing the content storage.
    func hasContent(_ product: ProductID) async throws -> Bool {
        if catalog.catalog[product]?.file != nil { return true }
        return try await !records.read(app) { try $0.contentVersions(of: product) }.isEmpty
    }

    /// Returns the items of a product: `main` first, and the others by name.
    ///
    /// The published versions of a product determine the items. Without published versions, the file that the catalog names is the only
    /// item.
    ///
    /// - Throws: ``ContentRefusal`` if the product has no content, or the catalog's file does not exist.
    func items(of product: ProductID) async throws -> [ContentItem] {
        let versions = try await records.read(app) { try $0.contentVersions(of: product) }
        guard versions.isEmpty else { return try ContentItem.items(of: versions, of: app) }
        guard let name = catalog.catalog[product]?.file else { throw ContentRefusal.noContent(product) }
        do {
            return [ContentItem(name: .main, versions: [try await catalogFiles.file(name)])]
        } catch let error as ContentStorageError {
            throw ContentRefusal(error, of: product)
        }
    }

    /// Finds the object with the bytes of a file.
    ///
    /// - Throws: ``ContentRefusal`` if the object does not exist, has a different length than the file, or can't be read.
    func object(of file: ContentFile, of product: ProductID) async throws(ContentRefusal) -> StoredContent {
        do throws(ContentStorageError) {
            let object = try await storage.describe(file.key)
            guard object.length == file.length else { throw .notFound(file.key) }
            return object
        } catch { throw ContentRefusal(error, of: product) }
    }

    /// Reads a range of an object's bytes.
    func read(_ object: StoredContent, _ range: Range<Int64>, of product: ProductID) async throws(ContentRefusal) -> ContentChunks {
        do throws(ContentStorageError) { return try await storage.read(object, range: range) } catch {
            throw ContentRefusal(error, of: product)
        }
    }

    /// Finds the object with the manifest of a published version.
    func manifest(_ key: ContentKey, of product: ProductID) async throws(ContentRefusal) -> StoredContent {
        do throws(ContentStorageError) { return try await storage.describe(key) } catch { throw ContentRefusal(error, of: product) }
    }
}

/// The item and the version that a request selects.
struct ContentChoice: Hashable, Sendable {
    /// The name of the item; nil for the first item.
    var item: ContentItemName?
    /// The name of the version; nil for the current version.
    var version: ContentVersionName?

    /// Returns the file of the selected item and version.
    ///
    /// - Throws: ``ContentRefusal`` if the product has no such item, or the item no such version.
    func file(in items: [ContentItem], of product: ProductID) throws(ContentRefusal) -> ContentFile {
        guard let item = item.map({ name in items.first { $0.name == name } }) ?? items.first else { throw .noItem(product) }
        guard let file = version.map({ name in item.versions.first { $0.version == name } }) ?? item.versions.first else {
            throw .noVersion(product, item.name)
        }
        return file
    }
}
