import Crypto
import PurchaseProof

/// The SHA-256 thumbprint of a public P-256 key (RFC 7638), which identifies the key by its point.
public struct KeyThumbprint: Hashable, Sendable, CustomStringConvertible {
    /// The thumbprint in base64url: 43 characters.
    public let rawValue: String

    /// Parses a thumbprint; nil unless the text is the base64url of 32 bytes.
    public init?(_ text: String) {
        guard text.utf8.count == 43, Base64URL.decode(text.utf8) != nil else { return nil }
        rawValue = text
    }

    /// Computes the thumbprint of a key.
    ///
    /// The hashed JSON has the required members only, sorted by name and without white space (RFC 7638, sections 3.2 and 3.3).
    init(of key: P256.Signing.PublicKey) {
        let (x, y) = key.coordinates
        rawValue = Base64URL.encode(Array(SHA256.hash(data: Array(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8))))
    }

    /// The thumbprint in base64url.
    public var description: String { rawValue }
}

extension P256.Signing.PublicKey {
    /// The coordinates of the key's point in base64url, with 43 characters each (RFC 7518, sections 6.2.1.2 and 6.2.1.3).
    var coordinates: (x: String, y: String) {
        let point = Array(rawRepresentation)
        return (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.dropFirst(32)))
    }
}
