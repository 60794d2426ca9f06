import Crypto
import Foundation

/// A developer's own key for signing offers and tokens: what App Store Connect hands out as a `.p8` file.
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

    /// Makes a new key.
    package init(newWithID id: String) {
        self.id = id
        key = P256.Signing.PrivateKey()
    }

    /// The key as it lies in a `.p8` file.
    package var pem: String { key.pemRepresentation }

    /// What checks signatures of this key.
    package var publicKey: BackendPublicKey { BackendPublicKey(id: id, key: key.publicKey) }

    /// Signs the SHA-256 of bytes with ECDSA.
    func sign(_ bytes: [UInt8]) throws(BackendKeyError) -> P256.Signing.ECDSASignature {
        // Signing fails only when the machine's source of random numbers does.
        do { return try key.signature(for: bytes) } catch { throw .cannotSign }
    }
}
