import Crypto
import PurchaseProof

/// A private P-256 key that signs responses and leases.
///
/// The signatures are ECDSA with SHA-256: `ecdsa-p256-sha256` of RFC 9421, section 3.3.4, and `ES256` of RFC 7518, section 3.4.
public struct P256SigningKey: Sendable {
    let key: BackendKey

    /// Creates a key from PEM, such as the text of a `.p8` file.
    ///
    /// - Parameters:
    ///   - pem: A private P-256 key as PKCS #8 or SEC 1.
    ///   - id: The identifier by which verifiers find the public key: 1 to 128 visible ASCII characters. Use a new one for each key.
    /// - Throws: ``SigningKeyError/invalidKey`` or ``SigningKeyError/invalidID``.
    public init(pem: String, id: String) throws(SigningKeyError) {
        guard P256VerificationKey.isID(id) else { throw .invalidID }
        do { key = try BackendKey(pem: pem, id: id) } catch { throw .invalidKey }
    }

    /// Generates a new key.
    ///
    /// - Parameter id: The identifier by which verifiers find the public key: 1 to 128 visible ASCII characters.
    /// - Throws: ``SigningKeyError/invalidID``.
    public init(newWithID id: String) throws(SigningKeyError) {
        guard P256VerificationKey.isID(id) else { throw .invalidID }
        key = BackendKey(newWithID: id)
    }

    /// The identifier of the key.
    public var id: String { key.id }

    /// The private key in PEM form, which is a secret.
    public var pem: String { key.pem }

    /// The public key, with the same identifier.
    public var verificationKey: P256VerificationKey { P256VerificationKey(key: key.publicKey.key, id: key.id) }

    /// Signs bytes and returns the 64 bytes of r and s.
    ///
    /// - Throws: ``SigningKeyError/cannotSign``.
    func sign(_ bytes: [UInt8]) throws(SigningKeyError) -> [UInt8] {
        do { return Array(try key.sign(bytes).rawRepresentation) } catch { throw .cannotSign }
    }
}

extension P256SigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The identifier of the key, without the key.
    public var description: String { "P256SigningKey(\(id))" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The identifier of the key, without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// The reason for which a key can't be used.
public enum SigningKeyError: Error, Hashable, Sendable {
    /// The text or the bytes are not a P-256 key of the required kind.
    case invalidKey
    /// The identifier does not consist of 1 to 128 visible ASCII characters.
    case invalidID
    /// The system's random number generator failed.
    case cannotSign
}
