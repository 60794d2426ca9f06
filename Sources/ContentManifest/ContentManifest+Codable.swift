public import Foundation
import FoundationExtras

extension ContentManifest: Codable {
    private enum CodingKeys: String, CodingKey {
        case format
        case length
        case sha256
        case chunkLength
        case chunks
        case fileName
        case mediaType
        case version
    }

    /// Decodes and validates a manifest.
    ///
    /// - Throws: `DecodingError`; for a violated rule with ``ContentManifestError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func invalid(_ error: ContentManifestError) -> DecodingError {
            DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
        guard try container.decode(Int.self, forKey: .format) == Self.format,
            try container.decode(Int64.self, forKey: .chunkLength) == Self.chunkLength
        else { throw invalid(.unsupportedFormat) }
        let (length, sha256) = (
            try container.decode(Int64.self, forKey: .length), try container.decode(ContentDigest.self, forKey: .sha256)
        )
        let chunks = try container.decode([ContentDigest].self, forKey: .chunks)
        let mediaType = try container.decode(MediaType.self, forKey: .mediaType)
        let (fileName, version) = (
            try container.decode(String.self, forKey: .fileName), try container.decode(String.self, forKey: .version)
        )
        do throws(ContentManifestError) {
            try self.init(length: length, sha256: sha256, chunks: chunks, fileName: fileName, mediaType: mediaType, version: version)
        } catch {
            throw invalid(error)
        }
    }

    /// Encodes the manifest with its format and the length of its chunks.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(length, forKey: .length)
        try container.encode(sha256, forKey: .sha256)
        try container.encode(Self.chunkLength, forKey: .chunkLength)
        try container.encode(chunks, forKey: .chunks)
        try container.encode(fileName, forKey: .fileName)
        try container.encode(mediaType, forKey: .mediaType)
        try container.encode(version, forKey: .version)
    }

    /// Decodes a manifest from JSON; see ``init(from:)``.
    public init(json: Data) throws {
        self = try WireJSON.decode(Self.self, from: json)
    }

    /// Returns the JSON of the manifest, with the same bytes for equal manifests.
    public func json() throws -> Data {
        try WireJSON.encode(self)
    }
}
