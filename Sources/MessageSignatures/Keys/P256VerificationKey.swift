import Crypto
import PurchaseProof

/// A public P-256 key that verifies responses and leases.
public struct P256VerificationKey: Sendable {
    /// The identifier of the key: `kid` of a JSON Web Key or a JWT, and `keyid` of a message signature.
    public let id: String
    let key: P256.Signing.PublicKey

    init(key: P256.Signing.PublicKey, id: String) {
        self.key = key
        self.id = id
    }

    /// Creates a key from PEM.
    ///
    /// - Parameters:
    ///   - pem: A public P-256 key (SubjectPublicKeyInfo).
    ///   - id: The identifier of the key: 1 to 128 visible ASCII characters; nil for the key's thumbprint.
    /// - Throws: ``SigningKeyError/invalidKey`` or ``SigningKeyError/invalidID``.
    public init(pem: String, id: String? = nil) throws(SigningKeyError) {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else { throw .invalidKey }
        try self.init(key, id)
    }

    /// Creates a key from an uncompressed point, as the Secure Enclave returns it.
    ///
    /// - Parameters:
    ///   - bytes: The 65 bytes of the point (ANSI X9.63): 4, x, and y.
    ///   - id: The identifier of the key: 1 to 128 visible ASCII characters; nil for the key's thumbprint.
    /// - Throws: ``SigningKeyError/invalidKey`` or ``SigningKeyError/invalidID``.
    public init(x963 bytes: [UInt8], id: String? = nil) throws(SigningKeyError) {
        guard bytes.count == 65, let key = try? P256.Signing.PublicKey(x963Representation: bytes) else { throw .invalidKey }
        try self.init(key, id)
    }

    private init(_ key: P256.Signing.PublicKey, _ id: String?) throws(SigningKeyError) {
        guard let id else {
            self.init(key: key, id: KeyThumbprint(of: key).rawValue)
            return
        }
        guard Self.isID(id) else { throw .invalidID }
        self.init(key: key, id: id)
    }

    /// The public key in PEM form.
    public var pem: String { key.pemRepresentation }

    /// The uncompressed point (ANSI X9.63): 65 bytes.
    public var x963: [UInt8] { Array(key.x963Representation) }

    /// The thumbprint of the key, which does not depend on its identifier.
    public var thumbprint: KeyThumbprint { KeyThumbprint(of: key) }

    /// Returns whether bytes have a signature, which consists of the 64 bytes of r and s.
    func isSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        guard signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }

    /// Returns whether a text can be the identifier of a key.
    static func isID(_ text: String) -> Bool { (1...128).contains(text.utf8.count) && HTTPSyntax.isVisible(text) }
}

extension P256VerificationKey: Hashable {
    /// Returns whether two keys have the same identifier and the same point.
    public static func == (one: P256VerificationKey, other: P256VerificationKey) -> Bool {
        one.id == other.id && one.x963 == other.x963
    }

    /// Hashes the identifier and the point.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(x963)
    }
}
