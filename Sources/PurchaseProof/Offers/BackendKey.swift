package import Crypto
import Foundation

/// A developer's private key for offers and tokens, as in a `.p8` file from App Store Connect.
package struct BackendKey: Sendable {
    /// The key's identifier in App Store Connect, which is part of the file's name.
    package let id: String
    private let key: P256.Signing.PrivateKey

    /// Reads a `.p8` file: PKCS#8 of a P-256 key in PEM form.
    ///
    /// - Throws: ``BackendKeyError/notAPrivateKey``.
    package init(pem: String, id: String) throws(BackendKeyError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw .notAPrivateKey }
        self.id = id
        self.key = key
    }

    /// Creates a new key.
    package init(newWithID id: String) {
        self.id = id
        key = P256.Signing.PrivateKey()
    }

    /// The key in the format of a `.p8` file.
    package var pem: String { key.pemRepresentation }

    /// The public key.
    package var publicKey: BackendPublicKey { BackendPublicKey(id: id, key: key.publicKey) }

    /// Signs the SHA-256 of bytes with ECDSA.
    func sign(_ bytes: [UInt8]) throws(BackendKeyError) -> P256.Signing.ECDSASignature {
        // Signing fails only when the system's random number generator does.
        do { return try key.signature(for: bytes) } catch { throw .cannotSign }
    }
}

/// The public key of a developer, for verifying signatures of offers and tokens.
package struct BackendPublicKey: Sendable {
    /// The key's identifier in App Store Connect; nil when it is unknown.
    package let id: String?
    private let key: P256.Signing.PublicKey

    /// Wraps a key.
    package init(id: String?, key: P256.Signing.PublicKey) {
        self.id = id
        self.key = key
    }

    /// Reads a public key in PEM form, or derives the public key of a `.p8` file.
    ///
    /// - Throws: ``BackendKeyError/notAKey``.
    package init(pem: String, id: String?) throws(BackendKeyError) {
        if let key = try? P256.Signing.PublicKey(pemRepresentation: pem) {
            self.init(id: id, key: key)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) {
            self.init(id: id, key: key.publicKey)
        } else {
            throw .notAKey
        }
    }

    /// The key in PEM form.
    package var pem: String { key.pemRepresentation }

    /// Whether a signature of bytes is valid.
    func signed(_ bytes: some Sequence<UInt8>, _ signature: P256.Signing.ECDSASignature) -> Bool {
        key.isValidSignature(signature, for: Array(bytes))
    }
}

/// An error of reading or using a key.
package enum BackendKeyError: Error, Hashable, Sendable {
    /// The text is not a private P-256 key in PEM form.
    case notAPrivateKey
    /// The text is not a P-256 key in PEM form, public or private.
    case notAKey
    /// The system's random number generator failed.
    case cannotSign
}
