package import Crypto
public import Foundation
import FoundationExtras

/// The SHA-256 of a file or of a part of a file (FIPS 180-4).
public struct ContentDigest: Hashable, Sendable {
    /// The digest in lower-case hexadecimal: 64 digits.
    public let hexadecimal: String

    /// Creates a digest from its text; nil for a text that is not 64 hexadecimal digits in lower case.
    public init?(hexadecimal text: String) {
        let digits = text.utf8
        guard digits.count == 64,
            digits.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        hexadecimal = text
    }

    /// Computes the digest of bytes in memory.
    public init(of bytes: some DataProtocol) {
        self.init(SHA256.hash(data: bytes))
    }

    /// Creates the digest that a hash function returned.
    package init(_ digest: SHA256.Digest) {
        hexadecimal = Hexadecimal.encode(digest)
    }
}

extension ContentDigest: CustomStringConvertible {
    /// The digest in lower-case hexadecimal.
    public var description: String { hexadecimal }
}

extension ContentDigest: Codable {
    /// Decodes a digest from a string of 64 hexadecimal digits in lower case.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for another text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let digest = ContentDigest(hexadecimal: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A SHA-256 must have 64 hexadecimal digits in lower case.")
        }
        self = digest
    }

    /// Encodes the digest as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexadecimal)
    }
}
