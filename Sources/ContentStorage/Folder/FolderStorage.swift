public import ContentManifest
import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
public import PurchaseModel
import Synchronization

/// A storage in a folder: the key of an object is the path of a file below the folder.
///
/// An object is written to a temporary file, synchronized to the disk, and renamed, so that a crash leaves the old or the new object. New
/// files have the permissions 0600 and new folders 0700. Files that the operator copies into the folder are objects too. Symbolic links to
/// files and files whose names are not valid keys are not.
///
/// All access to the disk runs on the thread pool of SwiftNIO. The digest of an object is computed when it is first requested, and again
/// after the file has changed.
public final class FolderStorage: ContentStorage {
    /// The path of the folder.
    public let path: String
    private let digests = DigestCache()

    /// Names the folder by its path, without accessing it; the first object that is stored creates it.
    ///
    /// An empty path names the current folder.
    public init(path: String) {
        self.path = path.isEmpty ? "." : path
    }

    private var tree: FolderTree { FolderTree(root: path) }

    /// Stores the bytes of a file; see ``ContentStorage/put(fileAt:as:mediaType:progress:)``.
    ///
    /// The media type is not stored.
    @discardableResult
    public func put(
        fileAt path: String, as key: ContentKey, mediaType: MediaType, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> StoredContent {
        let source = try await OpenFile.opening(path)
        let total = source.length
        if let present = try await present(key, with: source) {
            progress(UploadProgress(sent: 0, reused: total, total: total))
            return present
        }
        let tree = tree
        let copy = try await BlockingWork.run { () throws(ContentStorageError) in try TemporaryFile(in: tree) }
        do throws(ContentStorageError) {
            let digest = try await Self.copy(source, to: copy, progress)
            return try await BlockingWork.run { [digests] () throws(ContentStorageError) in
                try source.checkUnchanged()
                let status = try copy.commit(as: key)
                digests.insert(digest, of: status)
                return StoredContent(key, status, digest)
            }
        } catch {
            // Another task, because a canceled task can't use the thread pool.
            await Task { try? await BlockingWork.run { copy.remove() } }.value
            throw source.explained(error)
        }
    }

    /// Returns the object if it has the bytes of a file already.
    private func present(_ key: ContentKey, with source: OpenFile) async throws(ContentStorageError) -> StoredContent? {
        let present: StoredContent
        do throws(ContentStorageError) {
            let file = try await open(key)
            guard file.length == source.length else { return nil }
            present = StoredContent(key, file.status, try await digest(of: file))
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
        return try await source.sha256() == present.sha256 ? present : nil
    }

    /// Copies a file step by step, so that a canceled call ends soon.
    private static func copy(
        _ source: OpenFile, to copy: TemporaryFile, _ progress: @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> ContentDigest {
        var hash = SHA256()
        var offset: Int64 = 0
        var iterator = source.chunks(0..<source.length).makeAsyncIterator()
        while let chunk = try await iterator.next(isolation: #isolation) {
            hash.update(data: chunk.readableBytesView)
            try await BlockingWork.run { () throws(ContentStorageError) in try copy.append(chunk) }
            offset += Int64(chunk.readableBytes)
            progress(UploadProgress(sent: offset, reused: 0, total: source.length))
        }
        return ContentDigest(hash.finalize())
    }

    /// Returns the length, the digest and the date of an object; see ``ContentStorage/head(_:)``.
    ///
    /// The first call, and the first call after a change of the file, read the whole file.
    public func head(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent {
        let file = try await open(key)
        return StoredContent(key, file.status, try await digest(of: file))
    }

    /// Returns the length and the date of an object without reading its bytes; see ``ContentStorage/describe(_:)``.
    public func describe(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent {
        let file = try await open(key)
        return StoredContent(key, file.status, digests[file.status])
    }

    /// Reads a range of an object's bytes; see ``ContentStorage/read(_:range:)``.
    public func read(_ content: StoredContent, range: Range<Int64>) async throws(ContentStorageError) -> ContentChunks {
        guard content.contains(range) else { throw .invalidRange(range, length: content.length) }
        let file = try await open(content.key)
        guard file.status.entityTag == content.entityTag else { throw .changed(content.key) }
        return file.chunks(range)
    }

    /// Deletes an object; an object that does not exist counts as deleted.
    public func delete(_ key: ContentKey) async throws(ContentStorageError) {
        let tree = tree
        try await BlockingWork.run { () throws(ContentStorageError) in try tree.delete(key) }
    }

    /// Returns one page of the objects with a prefix; see ``ContentStorage/list(_:after:limit:)``.
    ///
    /// Reading a page takes the memory of the names in the folders on the path to the page's objects.
    public func list(
        _ prefix: ContentPrefix, after cursor: ContentCursor?, limit: Int
    ) async throws(ContentStorageError) -> ContentListing {
        let (tree, limit) = (tree, min(max(limit, 1), 1_000))
        return try await BlockingWork.run { () throws(ContentStorageError) in
            var listing = FolderListing(tree, prefix, after: cursor?.text ?? "", limit: limit + 1)
            let found = try listing.run()
            let objects = Array(found.prefix(limit))
            return ContentListing(
                objects: objects, next: found.count > limit ? objects.last.map { ContentCursor($0.key.text) } : nil)
        }
    }

    /// Removes the temporary files that interrupted calls left behind; see ``ContentStorage/removeInterruptedUploads(startedBefore:)``.
    ///
    /// The date is compared with the last change of each temporary file.
    @discardableResult
    public func removeInterruptedUploads(startedBefore date: Timestamp) async throws(ContentStorageError) -> Int {
        let tree = tree
        return try await BlockingWork.run { () throws(ContentStorageError) in try tree.removeTemporaryFiles(before: date) }
    }

    private func open(_ key: ContentKey) async throws(ContentStorageError) -> OpenFile {
        let tree = tree
        return try await BlockingWork.run { () throws(ContentStorageError) in try tree.open(key) }
    }

    private func digest(of file: OpenFile) async throws(ContentStorageError) -> ContentDigest {
        if let known = digests[file.status] { return known }
        let digest = try await file.sha256()
        // A digest of a file that changed while it was read belongs to neither version.
        try await BlockingWork.run { () throws(ContentStorageError) in try file.checkUnchanged() }
        digests.insert(digest, of: file.status)
        return digest
    }
}

extension StoredContent {
    /// Creates the description of a file.
    init(_ key: ContentKey, _ status: FileStatus, _ digest: ContentDigest?) {
        self.init(key: key, length: status.length, sha256: digest, modified: status.modified, entityTag: status.entityTag)
    }
}

/// The known digests of files.
private final class DigestCache: Sendable {
    /// The maximum number of digests, about 2 MB.
    private static let limit = 10_000

    private let digests = Mutex<[FileStatus: ContentDigest]>([:])

    subscript(_ status: FileStatus) -> ContentDigest? { digests.withLock { $0[status] } }

    func insert(_ digest: ContentDigest, of status: FileStatus) {
        digests.withLock { digests in
            if digests.count >= Self.limit { digests.removeAll() }
            digests[status] = digest
        }
    }
}
