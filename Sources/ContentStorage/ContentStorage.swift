public import ContentManifest
public import Foundation
public import PurchaseModel

/// A storage of immutable files, in a folder or in a bucket.
///
/// ``FolderStorage`` keeps objects in a folder, ``S3Storage`` in a bucket with the protocol of Amazon S3.
///
/// ```swift
/// func publish(_ path: String, in storage: any ContentStorage) async throws -> ContentKey {
///     let manifest = try await ContentManifest(
///         describing: path, fileName: "monkeys.pdf", mediaType: MediaType("application/pdf"), version: "1.2")
///     let key = ContentKey(addressing: manifest.sha256)
///     try await storage.put(fileAt: path, as: key, mediaType: manifest.mediaType) { progress in
///         print("\(progress.completed) of \(progress.total) bytes")
///     }
///     return key
/// }
/// ```
///
/// Calls can run in parallel. A canceled call throws ``ContentStorageError/canceled``.
public protocol ContentStorage: Sendable {
    /// Stores the bytes of a file, and returns the stored object.
    ///
    /// An existing object with other bytes is replaced as a whole: readers receive the old or the new object. If the object exists with the
    /// same bytes, nothing is stored. If a call was interrupted, call again with the same file: a bucket keeps the complete parts, and the
    /// call sends the other parts only. A folder starts again, because a local copy is fast.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must not change during the call.
    ///   - key: The key of the object.
    ///   - mediaType: The media type with which a bucket sends the object; a folder does not store it.
    ///   - progress: Called after each stored part, on any thread.
    /// - Throws: ``ContentStorageError/file(path:errorNumber:)`` if the file is unreadable, ``ContentStorageError/fileChanged(path:)`` if it
    ///   changed during the call, or another ``ContentStorageError`` of the storage.
    @discardableResult
    func put(
        fileAt path: String, as key: ContentKey, mediaType: MediaType, progress: @escaping @Sendable (UploadProgress) -> Void
    ) async throws(ContentStorageError) -> StoredContent

    /// Returns the length, the digest and the date of an object.
    ///
    /// - Throws: ``ContentStorageError/notFound(_:)`` if the object does not exist, or another error of the storage.
    func head(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent

    /// Returns the length and the date of an object without reading its bytes.
    ///
    /// The digest is nil if the storage would have to read the object for it. The default implementation calls ``head(_:)``.
    ///
    /// - Throws: ``ContentStorageError/notFound(_:)`` if the object does not exist, or another error of the storage.
    func describe(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent

    /// Reads a range of an object's bytes.
    ///
    /// The chunks are read on demand, so a slow reader costs the memory of a few chunks.
    ///
    /// - Parameters:
    ///   - content: The object, from ``head(_:)`` or a listing.
    ///   - range: The offsets in bytes, within the length of the object.
    /// - Throws: ``ContentStorageError/changed(_:)`` if the object was replaced since `content` was returned,
    ///   ``ContentStorageError/invalidRange(_:length:)`` for a range outside the object, ``ContentStorageError/notFound(_:)``, or another
    ///   error of the storage. The sequence throws the errors that occur later.
    func read(_ content: StoredContent, range: Range<Int64>) async throws(ContentStorageError) -> ContentChunks

    /// Deletes an object; an object that does not exist counts as deleted.
    func delete(_ key: ContentKey) async throws(ContentStorageError)

    /// Returns one page of the objects whose keys have a prefix, in the order of the keys' bytes.
    ///
    /// Files whose names are not valid keys are omitted, so a page can have fewer objects than the limit although more pages follow.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the objects' keys.
    ///   - cursor: The end of the page before; nil for the first page.
    ///   - limit: The maximum number of objects on the page, limited to the range from 1 to 1,000.
    func list(
        _ prefix: ContentPrefix, after cursor: ContentCursor?, limit: Int
    ) async throws(ContentStorageError) -> ContentListing

    /// Removes the parts of interrupted uploads that began before a date, and returns the number of removed uploads.
    ///
    /// An interrupted upload occupies space until it is continued or removed. Choose a date that no running upload precedes.
    @discardableResult
    func removeInterruptedUploads(startedBefore date: Timestamp) async throws(ContentStorageError) -> Int
}

extension ContentStorage {
    /// Stores the bytes of a file without reports of progress; see ``put(fileAt:as:mediaType:progress:)``.
    @discardableResult
    public func put(
        fileAt path: String, as key: ContentKey, mediaType: MediaType = .octetStream
    ) async throws(ContentStorageError) -> StoredContent {
        try await put(fileAt: path, as: key, mediaType: mediaType) { _ in }
    }

    /// Stores bytes in memory; see ``put(fileAt:as:mediaType:progress:)``.
    ///
    /// The bytes are written to a temporary file first, so the method is for small objects such as manifests.
    @discardableResult
    public func put(
        _ bytes: Data, as key: ContentKey, mediaType: MediaType = .octetStream
    ) async throws(ContentStorageError) -> StoredContent {
        let path = FileManager.default.temporaryDirectory.appending(path: "tillroll-\(UUID().uuidString)").path(percentEncoded: false)
        try await BlockingWork.run { () throws(ContentStorageError) in try TemporaryFile.create(path, with: bytes) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await put(fileAt: path, as: key, mediaType: mediaType)
    }

    /// Returns the length and the date of an object; see ``head(_:)``.
    public func describe(_ key: ContentKey) async throws(ContentStorageError) -> StoredContent {
        try await head(key)
    }

    /// Reads all bytes of an object; see ``read(_:range:)``.
    public func read(_ content: StoredContent) async throws(ContentStorageError) -> ContentChunks {
        try await read(content, range: 0..<content.length)
    }

    /// Returns the objects whose keys have a prefix, as a sequence that requests each page on demand.
    public func objects(_ prefix: ContentPrefix = .all) -> ContentObjects {
        ContentObjects(storage: self, prefix: prefix)
    }
}

/// An object of a storage.
public struct StoredContent: Hashable, Sendable {
    /// The key of the object.
    public let key: ContentKey
    /// The length of the object in bytes.
    public let length: Int64
    /// The SHA-256 of the object's bytes.
    ///
    /// Nil in a listing, in a description for which the storage would have to read the object, and for an object in a bucket that another
    /// program stored without the metadata `sha256`. A bucket does not verify the metadata.
    public let sha256: ContentDigest?
    /// The date at which the object was stored.
    public let modified: Timestamp
    /// The identifier of the object's version, which changes when the object is replaced: the entity tag of a bucket (RFC 9110, section
    /// 8.8.3), or the identity of a file.
    public let entityTag: String

    /// Creates the description of an object.
    public init(key: ContentKey, length: Int64, sha256: ContentDigest?, modified: Timestamp, entityTag: String) {
        self.key = key
        self.length = max(length, 0)
        self.sha256 = sha256
        self.modified = modified
        self.entityTag = entityTag
    }

    /// Returns whether a range lies within the object.
    func contains(_ range: Range<Int64>) -> Bool {
        range.lowerBound >= 0 && range.upperBound <= length
    }
}

/// The progress of an upload.
public struct UploadProgress: Hashable, Sendable {
    /// The number of bytes that the call stored.
    public let sent: Int64
    /// The number of bytes that the storage already had, from an interrupted upload.
    public let reused: Int64
    /// The length of the file in bytes.
    public let total: Int64

    /// Creates a state of an upload.
    public init(sent: Int64, reused: Int64, total: Int64) {
        self.sent = sent
        self.reused = reused
        self.total = total
    }

    /// The number of bytes that the storage has.
    public var completed: Int64 { sent &+ reused }
}
