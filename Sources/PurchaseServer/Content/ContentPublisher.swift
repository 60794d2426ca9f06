public import ContentStorage
import Foundation
public import PurchaseModel
public import PurchaseStorage

/// Publishes, lists and removes the versions of an app's content while servers run.
public struct ContentPublisher: Sendable {
    private let app: BundleID
    private let records: any PurchaseStorage
    private let catalog: any CatalogSource
    private let storage: any ContentStorage
    private let clock: any WallClock

    init(_ content: ContentLibrary, clock: any WallClock) {
        app = content.app
        records = content.records
        catalog = content.catalog
        storage = content.storage
        self.clock = clock
    }

    /// Publishes a file as a new version, which becomes the current version of its item.
    ///
    /// A repeated call continues an interrupted upload, and changes nothing if the version is published with the same file.
    ///
    /// - Returns: The version, and whether it is new.
    /// - Throws: ``ContentPublicationError``, `ContentManifestError` for an invalid file name, or `ContentStorageError`.
    public func publish(
        _ path: String, as publication: ContentPublication, progress: @escaping @Sendable (UploadProgress) -> Void = { _ in }
    ) async throws -> (version: ContentVersion, isNew: Bool) {
        try check(publication)
        let manifest = try await manifest(of: path, publication)
        let (key, json) = (try key(of: manifest.sha256), try manifest.json())
        let version = ContentVersion(
            product: publication.product, item: publication.item, version: ContentVersionName(manifest.version),
            fileName: manifest.fileName, mediaType: manifest.mediaType, length: manifest.length, sha256: manifest.sha256,
            manifest: ContentDigest(of: json), publishedAt: clock.now)
        // Detect a conflict with a published version before a long upload.
        _ = try await records.read(app) { try $0.published(version) }
        let manifestKey = try self.key(of: version.manifest)
        try await storage.put(fileAt: path, as: key, mediaType: manifest.mediaType, progress: progress)
        try await storage.put(json, as: manifestKey, mediaType: MediaType("application/json"))
        let earlier = try await records.write(app) { records in
            let earlier = try records.published(version)
            if earlier == nil { try records.insert(version) }
            return earlier
        }
        // Check the objects again: a prune that began before the insertion may have removed objects of an earlier publication.
        for (key, length) in [(key, manifest.length), (manifestKey, Int64(json.count))] {
            guard try await storage.describe(key).length == length else { throw ContentPublicationError.pruned }
        }
        return (earlier ?? version, earlier == nil)
    }

    /// Returns the published versions of a product, the latest publication first, or the versions of all products ordered by product.
    public func versions(of product: ProductID?) async throws -> [ContentVersion] {
        try await records.read(app) { records in
            if let product { try records.contentVersions(of: product) } else { try records.contentVersions() }
        }
    }

    /// Removes published versions from the database; the bytes remain in the storage until ``prune(olderThan:isDryRun:)``.
    ///
    /// - Parameters:
    ///   - product: The product.
    ///   - item: The name of the item; nil for all items.
    ///   - version: The name of the version; nil for all versions.
    /// - Returns: The removed versions.
    /// - Throws: ``ContentPublicationError/notFound(_:)`` if no published version matches.
    public func remove(
        _ product: ProductID, item: ContentItemName? = nil, version: ContentVersionName? = nil
    ) async throws -> [ContentVersion] {
        try await records.write(app) { records in
            let versions = try records.contentVersions(of: product).filter { found in
                (item == nil || found.item == item) && (version == nil || found.version == version)
            }
            guard !versions.isEmpty else { throw ContentPublicationError.notFound(product) }
            for version in versions { _ = try records.removeContentVersion(version.version, of: version.item, in: product) }
            return versions
        }
    }

    /// Removes the app's published objects that no version refers to, and interrupted uploads.
    ///
    /// A file that the catalog names is not a published object, and remains.
    ///
    /// - Parameters:
    ///   - seconds: The minimum age of an object or an upload to remove, so that the objects of a concurrent publication remain.
    ///   - isDryRun: Whether the method lists the objects without removing them.
    /// - Throws: ``ContentPublicationError/prunedVersions(_:)`` if a concurrent publication reused objects that the method removed, or
    ///   `ContentStorageError`.
    public func prune(olderThan seconds: Int64 = 86_400, isDryRun: Bool = false) async throws -> ContentPruning {
        let date = clock.now.adding(seconds: -max(0, seconds))
        let prefix: ContentPrefix
        do throws(ContentKeyError) { prefix = try PublishedObjects(app: app).prefix } catch { throw ContentPublicationError.app }
        var found: [StoredContent] = []
        for try await object in storage.objects(prefix) where object.modified < date { found.append(object) }
        // Read the references after the listing, so that the objects of a version that was published during the listing remain.
        let referenced = Set(try await versions(of: nil).flatMap { [try key(of: $0.sha256), try key(of: $0.manifest)] })
        var pruning = ContentPruning(objects: found.filter { !referenced.contains($0.key) })
        guard !isDryRun else { return pruning }
        for object in pruning.objects { try await storage.delete(object.key) }
        pruning.uploads = try await storage.removeInterruptedUploads(startedBefore: date)
        let lost = try await versions(without: Set(pruning.objects.map(\.key)))
        guard lost.isEmpty else { throw ContentPublicationError.prunedVersions(lost) }
        return pruning
    }

    /// Returns the published versions that need a removed object.
    ///
    /// A publication inserts a version, and then checks that the version's objects are stored. If the publication ends before the removal
    /// of an object, only a check after the removal finds the version.
    private func versions(without removed: Set<ContentKey>) async throws -> [ContentVersion] {
        guard !removed.isEmpty else { return [] }
        var lost: [ContentVersion] = []
        for version in try await versions(of: nil) {
            for key in [try key(of: version.sha256), try key(of: version.manifest)] where removed.contains(key) {
                guard try await !isStored(key) else { continue }
                lost.append(version)
                break
            }
        }
        return lost
    }

    private func isStored(_ key: ContentKey) async throws(ContentStorageError) -> Bool {
        do throws(ContentStorageError) {
            _ = try await storage.describe(key)
            return true
        } catch {
            guard case .notFound = error else { throw error }
            return false
        }
    }

    private func check(_ publication: ContentPublication) throws(ContentPublicationError) {
        let known = catalog.catalog.products.map(\.id)
        guard known.contains(publication.product) else {
            let nearest = ConfigurationKeys.nearest(to: publication.product.rawValue, among: known.map(\.rawValue))
            throw .unknownProduct(publication.product, nearest: nearest.isEmpty ? nil : ProductID(nearest))
        }
        guard Self.isName(publication.item.rawValue) else { throw .itemName }
        guard Self.isName(publication.version?.rawValue ?? "-") else { throw .versionName }
    }

    private static func isName(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && IdentifierText.isValid(text)
    }

    /// Returns the manifest of a file to publish, with the name of the version.
    private func manifest(of path: String, _ publication: ContentPublication) async throws -> ContentManifest {
        let fileName = publication.fileName ?? URL(filePath: path).lastPathComponent
        let described = try await ContentManifest(
            describing: path, fileName: fileName, mediaType: publication.mediaType ?? MediaType(fileName: fileName),
            version: publication.version?.rawValue ?? "1")
        guard publication.version == nil else { return described }
        let version = try await records.read(app) { records in
            let versions = try records.contentVersions(of: publication.product).filter { $0.item == publication.item }
            if let current = versions.first, current.sha256 == described.sha256, current.fileName == fileName,
                current.mediaType == described.mediaType
            {
                return current.version.rawValue
            }
            let latest = versions.compactMap { Int($0.version.rawValue) }.filter { $0 < .max }.max() ?? 0
            return String(max(0, latest) + 1)
        }
        return try ContentManifest(
            length: described.length, sha256: described.sha256, chunks: described.chunks, fileName: fileName,
            mediaType: described.mediaType, version: version)
    }

    private func key(of digest: ContentDigest) throws(ContentPublicationError) -> ContentKey {
        do throws(ContentKeyError) { return try PublishedObjects(app: app).key(of: digest) } catch { throw .app }
    }
}

extension StorageTransaction {
    /// Returns the published version with the same product, item and version name; nil if there is none.
    ///
    /// - Throws: ``ContentPublicationError/versionExists(_:)`` if the published version has another manifest.
    fileprivate func published(_ version: ContentVersion) throws -> ContentVersion? {
        guard
            let found = try contentVersions(of: version.product).first(where: {
                $0.item == version.item && $0.version == version.version
            })
        else { return nil }
        guard found.manifest == version.manifest else { throw ContentPublicationError.versionExists(found) }
        return found
    }
}
