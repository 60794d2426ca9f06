import Crypto
public import Foundation

/// The digests of the content of an HTTP message: the field `Content-Digest` (RFC 9530, section 2).
///
/// The content is that which is transferred, so a compressed one is hashed in its compressed form.
public struct ContentDigest: Hashable, Sendable {
    /// The name of the field: `Content-Digest`.
    public static let fieldName = "Content-Digest"

    /// The algorithms that are verified (RFC 9530, section 5).
    public enum Algorithm: String, Hashable, Sendable, CaseIterable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-512.
        case sha512 = "sha-512"

        /// Returns the digest of the content.
        func digest(of content: some DataProtocol) -> [UInt8] {
            switch self {
            case .sha256: Array(SHA256.hash(data: content))
            case .sha512: Array(SHA512.hash(data: content))
            }
        }
    }

    private let digests: [Algorithm: [UInt8]]

    /// Computes the SHA-256 of content.
    public init(of content: some DataProtocol) {
        digests = [.sha256: Algorithm.sha256.digest(of: content)]
    }

    /// Parses the value of the field; members of unknown algorithms are ignored.
    ///
    /// - Parameter fieldValue: The value, with several lines joined by commas, as ``HTTPMessageFields`` returns it.
    /// - Throws: ``ContentDigestError/malformed(_:)`` when the value is not a dictionary; ``ContentDigestError/invalid(_:)`` when a known
    ///   member is not a digest; ``ContentDigestError/noKnownAlgorithm`` when there is no known member.
    public init(fieldValue: String) throws(ContentDigestError) {
        let dictionary: StructuredDictionary
        do { dictionary = try StructuredFieldParser.dictionary(fieldValue) } catch { throw .malformed(error) }
        var digests: [Algorithm: [UInt8]] = [:]
        for member in dictionary.members {
            guard let algorithm = Algorithm(rawValue: member.key) else { continue }
            guard case .item(let item) = member.value, case .bytes(let digest) = item.value else { throw .invalid(algorithm) }
            digests[algorithm] = digest
        }
        guard !digests.isEmpty else { throw .noKnownAlgorithm }
        self.digests = digests
    }

    /// The value of the field, such as `sha-256=:…:`.
    public var fieldValue: String {
        Algorithm.allCases.compactMap { algorithm in
            digests[algorithm].map { "\(algorithm.rawValue)=\(StructuredValue.bytes($0).serialized)" }
        }.joined(separator: ", ")
    }

    /// Checks that content has all the digests.
    ///
    /// - Throws: ``ContentDigestError/mismatch(_:)`` when the content does not have one of them.
    public func verify(_ content: some DataProtocol) throws(ContentDigestError) {
        for algorithm in Algorithm.allCases {
            guard let digest = digests[algorithm] else { continue }
            guard algorithm.digest(of: content) == digest else { throw .mismatch(algorithm) }
        }
    }
}

/// The reason for which a `Content-Digest` is refused.
public enum ContentDigestError: Error, Hashable, Sendable {
    /// The value of the field is not a dictionary of structured fields.
    case malformed(StructuredFieldError)
    /// The member of a known algorithm is not a byte sequence.
    case invalid(ContentDigest.Algorithm)
    /// The field has no digest of a known algorithm.
    case noKnownAlgorithm
    /// The content has another digest, so it was changed or truncated.
    case mismatch(ContentDigest.Algorithm)
}
