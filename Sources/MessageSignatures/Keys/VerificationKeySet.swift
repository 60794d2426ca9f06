import Crypto
public import Foundation
import PurchaseProof

/// Public keys by identifier, as in a JSON Web Key Set (RFC 7517).
///
/// Put the current key and the next one into the set of a released app, so that the server can change its key. Each key of the set can
/// sign everything that the set verifies.
public struct VerificationKeySet: Hashable, Sendable {
    /// The maximum size of a JSON Web Key Set in bytes.
    public static let maximumSize = 64 << 10
    /// The maximum number of keys in a set.
    public static let maximumKeys = 32

    /// The keys, in their order.
    public let keys: [P256VerificationKey]

    /// Creates a set of keys.
    ///
    /// - Throws: ``KeySetError/noUsableKey`` for no key; ``KeySetError/duplicateID(_:)``; ``KeySetError/tooManyKeys(limit:)``.
    public init(_ keys: [P256VerificationKey]) throws(KeySetError) {
        guard !keys.isEmpty else { throw .noUsableKey }
        guard keys.count <= Self.maximumKeys else { throw .tooManyKeys(limit: Self.maximumKeys) }
        // reason: the identifiers of keys are visible ASCII.
        var seen: Set<String> = []
        for key in keys {
            guard seen.insert(key.id).inserted else { throw .duplicateID(key.id) }
        }
        self.keys = keys
    }

    /// Parses a JSON Web Key Set: `{"keys":[{"kty":"EC","crv":"P-256","x":…,"y":…,"kid":…,"use":"sig","alg":"ES256"}]}`.
    ///
    /// A key of another type, curve, use or algorithm, and a key without `kid` is ignored (RFC 7517, section 5). So is a key whose point
    /// is not on the curve.
    ///
    /// - Throws: ``KeySetError/malformed(place:)``, ``KeySetError/tooLarge(limit:)``, ``KeySetError/privateKey``, or an error of
    ///   ``init(_:)``.
    public init(jwks json: [UInt8]) throws(KeySetError) {
        guard json.count <= Self.maximumSize else { throw .tooLarge(limit: Self.maximumSize) }
        let document: Document
        do { document = try UnambiguousJSON.decode(Document.self, from: json, in: "jwks") } catch { throw .malformed(place: error.place) }
        guard document.keys.count <= Self.maximumKeys else { throw .tooManyKeys(limit: Self.maximumKeys) }
        guard !document.keys.contains(where: \.isPrivate) else { throw .privateKey }
        try self.init(document.keys.compactMap(\.verificationKey))
    }

    /// The set as a JSON Web Key Set in UTF-8, with sorted members.
    public var jwks: Data {
        let keys = keys.map { key in
            let (x, y) = key.key.coordinates
            // The identifier is visible ASCII, and of this only two characters are escaped in JSON (RFC 8259, section 7).
            let id = key.id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return #"{"alg":"ES256","crv":"P-256","kid":"\#(id)","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}"#
        }
        return Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
    }

    /// Returns the key with an identifier; nil when the set has none.
    public subscript(_ id: String) -> P256VerificationKey? { keys.first { $0.id == id } }
}

extension VerificationKeySet {
    private struct Document: Decodable {
        let keys: [JSONWebKey]
    }

    /// A JSON Web Key (RFC 7517, section 4), with the members of an elliptic curve (RFC 7518, section 6.2).
    private struct JSONWebKey: Decodable {
        let kty: String
        let crv: String?
        let x: String?
        let y: String?
        let kid: String?
        let use: String?
        let alg: String?
        /// Whether the key has private parts: `d` of a curve or of RSA, or `k` of a symmetric key.
        let isPrivate: Bool

        private enum CodingKeys: String, CodingKey {
            case kty, crv, x, y, kid, use, alg, d, k
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            kty = try container.decode(String.self, forKey: .kty)
            crv = try container.decodeIfPresent(String.self, forKey: .crv)
            x = try container.decodeIfPresent(String.self, forKey: .x)
            y = try container.decodeIfPresent(String.self, forKey: .y)
            kid = try container.decodeIfPresent(String.self, forKey: .kid)
            use = try container.decodeIfPresent(String.self, forKey: .use)
            alg = try container.decodeIfPresent(String.self, forKey: .alg)
            isPrivate = container.contains(.d) || container.contains(.k)
        }

        var verificationKey: P256VerificationKey? {
            guard kty == "EC", crv == "P-256", use == nil || use == "sig", alg == nil || alg == "ES256", let kid,
                let x = x.flatMap({ Base64URL.decode($0.utf8) }), x.count == 32,
                let y = y.flatMap({ Base64URL.decode($0.utf8) }), y.count == 32
            else { return nil }
            return try? P256VerificationKey(x963: [4] + x + y, id: kid)
        }
    }
}

/// The reason for which a set of keys is refused.
public enum KeySetError: Error, Hashable, Sendable {
    /// The bytes are not a JSON Web Key Set; the place is the path of the error, such as `jwks.keys[0].kty`.
    case malformed(place: String)
    /// The document has more bytes than this limit.
    case tooLarge(limit: Int)
    /// The set has more keys than this limit.
    case tooManyKeys(limit: Int)
    /// Two keys have this identifier.
    case duplicateID(String)
    /// The set contains no P-256 key for signatures.
    case noUsableKey
    /// The set contains a private or a symmetric key. Whoever read the document can sign with it, so replace the key.
    case privateKey
}
