import Crypto
import CryptoExtras
import X509

/// The key of a certificate that signs, ready to be used many times.
enum SignerKey: Sendable {
    /// Signs receipts.
    case rsa(_RSA.Signing.PublicKey)
    /// Signs JWS.
    case p256(P256.Signing.PublicKey)
    /// Signs nothing that is read here.
    case other

    init(_ key: Certificate.PublicKey) {
        if let key = P256.Signing.PublicKey(key) {
            self = .p256(key)
        } else if let key = _RSA.Signing.PublicKey(key) {
            self = .rsa(key)
        } else {
            self = .other
        }
    }
}
