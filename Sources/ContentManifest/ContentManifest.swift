public import Foundation
import PurchaseModel

/// The description of a file with the digests of its chunks, by which a download is verified chunk by chunk.
///
/// A chunk has 1 MiB; the last one can be shorter. The JSON of a manifest has a ``format``, the members of this type, and no others:
///
/// ```json
/// {
///   "chunkLength" : 1048576,
///   "chunks" : ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
///   "fileName" : "monkeys.pdf",
///   "format" : 1,
///   "length" : 4,
///   "mediaType" : "application/pdf",
///   "sha256" : "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
///   "version" : "1.2"
/// }
/// ```
///
/// A manifest is valid if it can be decoded. Whether it is genuine depends on where it comes from.
public struct ContentManifest: Hashable, Sendable {
    /// The format of the JSON: 1.
    public static let format = 1
    /// The length of all chunks except the last one in bytes: 1 MiB.
    public static let chunkLength: Int64 = 1 << 20
    /// The maximum number of chunks: 1,048,576, for a file of 1 TiB.
    public static let maximumChunkCount = 1 << 20

    /// The length of the file in bytes.
    public let length: Int64
    /// The SHA-256 of the file.
    public let sha256: ContentDigest
    /// The SHA-256 of each chunk, in order; empty for an empty file.
    public let chunks: [ContentDigest]
    /// The name under which an app saves the file.
    public let fileName: String
    /// The media type of the file.
    public let mediaType: MediaType
    /// The version of the content, such as `1.2`, which the developer chooses.
    public let version: String

    /// Creates a manifest from its members.
    ///
    /// - Throws: ``ContentManifestError`` for a length without its number of chunks, or an invalid name or version.
    public init(
        length: Int64, sha256: ContentDigest, chunks: [ContentDigest], fileName: String, mediaType: MediaType, version: String
    ) throws(ContentManifestError) {
        guard length >= 0, chunks.count <= Self.maximumChunkCount, Self.chunkCount(of: length) == Int64(chunks.count) else {
            throw .wrongNumberOfChunks
        }
        guard Self.isFileName(fileName) else { throw .invalidFileName }
        guard !version.isEmpty, IdentifierText.isValid(version) else { throw .invalidVersion }
        self.length = length
        self.sha256 = sha256
        self.chunks = chunks
        self.fileName = fileName
        self.mediaType = mediaType
        self.version = version
    }

    /// Returns the offsets of a chunk in the file; nil for an index outside the file.
    public func range(ofChunk index: Int) -> Range<Int64>? {
        guard chunks.indices.contains(index) else { return nil }
        let start = Int64(index) * Self.chunkLength
        return start..<min(start + Self.chunkLength, length)
    }

    /// Verifies the bytes of a chunk.
    ///
    /// - Parameters:
    ///   - bytes: The complete chunk.
    ///   - index: The index of the chunk, counted from 0.
    /// - Throws: ``ContentManifestError/noSuchChunk(_:)``, ``ContentManifestError/wrongLength(chunk:)`` or
    ///   ``ContentManifestError/wrongDigest(chunk:)``.
    public func verify(_ bytes: some DataProtocol, asChunk index: Int) throws(ContentManifestError) {
        guard let range = range(ofChunk: index) else { throw .noSuchChunk(index) }
        guard Int64(bytes.count) == range.upperBound - range.lowerBound else { throw .wrongLength(chunk: index) }
        guard ContentDigest(of: bytes) == chunks[index] else { throw .wrongDigest(chunk: index) }
    }

    /// Returns the number of chunks of a file with a length.
    package static func chunkCount(of length: Int64) -> Int64 {
        length / chunkLength + (length % chunkLength == 0 ? 0 : 1)
    }

    /// Returns whether a text can be the name of a file in a folder: 1 to 255 bytes without slashes and control characters.
    package static func isFileName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && IdentifierText.isValid(name) && !name.unicodeScalars.contains { $0 == "/" || $0 == "\\" }
            && name != "." && name != ".."
    }
}

/// The error of a manifest, or of a chunk that differs from its manifest.
public enum ContentManifestError: Error, Hashable, Sendable {
    /// The number of chunks does not follow from the length, or exceeds ``ContentManifest/maximumChunkCount``.
    case wrongNumberOfChunks
    /// The file name is empty, too long, or contains a slash, a backslash or a control character.
    case invalidFileName
    /// The version is empty, has more than 1,024 bytes, or contains a control character.
    case invalidVersion
    /// The JSON has another format than ``ContentManifest/format``, or another length of chunks.
    case unsupportedFormat
    /// The file has no chunk with this index.
    case noSuchChunk(Int)
    /// The chunk has another length than the manifest states.
    case wrongLength(chunk: Int)
    /// The chunk has another SHA-256 than the manifest states. Download it again.
    case wrongDigest(chunk: Int)
}

extension ContentManifestError: CustomStringConvertible {
    /// What is wrong, and what to do next.
    public var description: String {
        switch self {
        case .wrongNumberOfChunks: "Invalid manifest: the number of chunks does not follow from the length, or exceeds the limit."
        case .invalidFileName: "Invalid manifest: the file name must have 1 to 255 bytes without slashes and control characters."
        case .invalidVersion: "Invalid manifest: the version must have 1 to 1,024 bytes without control characters."
        case .unsupportedFormat: "This version of the program does not support the format of the manifest. Use a newer version."
        case .noSuchChunk(let index): "The manifest has no chunk \(index)."
        case .wrongLength(let index): "Chunk \(index) has another length than the manifest states. Download it again."
        case .wrongDigest(let index): "Chunk \(index) has another SHA-256 than the manifest states. Download it again."
        }
    }
}
