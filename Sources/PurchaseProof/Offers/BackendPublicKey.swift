package import Crypto

/// The public half of a developer's key, for checking what was signed with the other.
package struct BackendPublicKey: Sendable {
    /// The key's identifier in App Store Connect; nil when it is not known.
    package let id: String?
    private let key: P256.Signing.PublicKey

    /// Takes a key.
    package init(id: String?, key: P256.Signing.PublicKey) {
        self.id = id
        self.key = key
    }

    /// Reads a public key in PEM form, or takes the public half of a `.p8` file.
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

    /// Whether the other half signed those bytes.
    func signed(_ bytes: some Sequence<UInt8>, _ signature: P256.Signing.ECDSASignature) -> Bool {
        key.isValidSignature(signature, for: Array(bytes))
    }
}
