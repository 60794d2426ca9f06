package import Crypto
import Foundation

/// The private key with which a developer's server signs offers and tokens, as in a `.p8` file from App Store Connect.
package struct BackendKey: Sendable {
    /// The key's identifier in App Store Connect, which is also part of the name of the `.p8` file.
    package let id: String
    private let key: P256.Signing.PrivateKey

    /// Creates a key from the text of a `.p8` file, which contains a P-256 key as PKCS #8 in PEM form.
    ///
    /// - Throws: ``BackendKeyError/notAPrivateKey`` when the text is not a private P-256 key in PEM form.
    package init(pem: String, id: String) throws(BackendKeyError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw .notAPrivateKey }
        self.id = id
        self.key = key
    }

    /// Generates a new key with the given identifier.
    package init(newWithID id: String) {
        self.id = id
        key = P256.Signing.PrivateKey()
    }

    /// The private key in PEM form, as in a `.p8` file.
    package var pem: String { key.pemRepresentation }

    /// The public key that verifies signatures of this key.
    package var publicKey: BackendPublicKey { BackendPublicKey(id: id, key: key.publicKey) }

    /// Signs the SHA-256 of bytes with ECDSA.
    ///
    /// - Throws: ``BackendKeyError/cannotSign`` when the system's random number generator fails.
    package func sign(_ bytes: [UInt8]) throws(BackendKeyError) -> P256.Signing.ECDSASignature {
        // Signing fails only when the system's random number generator does.
        do { return try key.signature(for: bytes) } catch { throw .cannotSign }
    }
}

/// The public key that verifies the offers and tokens that a developer's server signs.
package struct BackendPublicKey: Sendable {
    /// The key's identifier in App Store Connect; nil when it is unknown.
    package let id: String?
    /// The key for the cryptographic library.
    package let key: P256.Signing.PublicKey

    /// Creates a public key from a key of the cryptographic library.
    package init(id: String?, key: P256.Signing.PublicKey) {
        self.id = id
        self.key = key
    }

    /// Creates a public key from a P-256 key in PEM form: a public key, or a private key such as a `.p8` file.
    ///
    /// - Throws: ``BackendKeyError/notAKey`` when the text is neither a public nor a private P-256 key in PEM form.
    package init(pem: String, id: String?) throws(BackendKeyError) {
        if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
            self.init(id: id, key: key)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(id: id, key: key.publicKey)
        } else {
            throw .notAKey
        }
    }

    /// The public key in PEM form.
    package var pem: String { key.pemRepresentation }

    /// Returns whether a signature of bytes is valid for this key.
    func signed(_ bytes: some Sequence<UInt8>, _ signature: P256.Signing.ECDSASignature) -> Bool {
        key.isValidSignature(signature, for: Array(bytes))
    }
}

/// An error of parsing a developer's key, or of signing with it.
package enum BackendKeyError: Error, Hashable, Sendable {
    /// The text is not a private P-256 key in PEM form.
    case notAPrivateKey
    /// The text is not a P-256 key in PEM form, public or private.
    case notAKey
    /// The system's random number generator failed.
    case cannotSign
    /// The field of a promotional offer contains the separator of the fields, U+2063.
    case separatorInField(PromotionalOffer.Field)
}
