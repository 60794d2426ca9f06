import ContentStorage
import PurchaseModel
import Synchronization

/// The files that the catalog names, and that the operator copies to the content storage without publishing them.
///
/// The first request for a file, and the first request after a change of the file, read the whole file to compute the manifest.
final class CatalogFiles: Sendable {
    /// The maximum number of files whose manifests stay in memory.
    private static let limit = 1_000

    private struct State {
        var known: [ContentKey: (entityTag: String, file: ContentFile)] = [:]
        /// The tasks that read a version of a file, so that concurrent requests read the version once.
        var reading: [Version: Task<ContentFile, any Error>] = [:]
    }

    private struct Version: Hashable, Sendable {
        let key: ContentKey
        let entityTag: String
    }

    private let storage: any ContentStorage
    private let state = Mutex(State())

    init(_ storage: any ContentStorage) {
        self.storage = storage
    }

    /// Returns the file with a name as the only item of a product's content.
    ///
    /// - Throws: ``ContentStorageError`` if the file does not exist or can't be read.
    func file(_ name: String) async throws -> ContentFile {
        let key = try ContentKey(name)
        let content = try await storage.describe(key)
        if let known = state.withLock({ $0.known[key] }), known.entityTag == content.entityTag { return known.file }
        let version = Version(key: key, entityTag: content.entityTag)
        let task = state.withLock { state in
            if let task = state.reading[version] { return task }
            let task = Task {
                let result: Result<ContentFile, any Error>
                do { result = .success(try await Self.read(content, named: name, in: storage)) } catch { result = .failure(error) }
                end(version, with: result)
                return try result.get()
            }
            state.reading[version] = task
            return task
        }
        return try await task.value
    }

    private func end(_ version: Version, with result: Result<ContentFile, any Error>) {
        state.withLock { state in
            state.reading[version] = nil
            guard case .success(let file) = result else { return }
            if state.known.count >= Self.limit { state.known = [:] }
            state.known[version.key] = (version.entityTag, file)
        }
    }

    private static func read(_ content: StoredContent, named name: String, in storage: any ContentStorage) async throws -> ContentFile {
        let (sha256, chunks) = try await ContentManifest.digests(of: content, in: storage)
        let version = String(sha256.hexadecimal.prefix(12))
        let manifest = try ContentManifest(
            length: content.length, sha256: sha256, chunks: chunks, fileName: name, mediaType: MediaType(fileName: name), version: version)
        return ContentFile(
            item: .main, version: ContentVersionName(version), fileName: name, mediaType: manifest.mediaType, length: content.length,
            sha256: sha256, key: content.key, manifest: .computed(manifest), manifestDigest: ContentDigest(of: try manifest.json()),
            publishedAt: content.modified)
    }
}
