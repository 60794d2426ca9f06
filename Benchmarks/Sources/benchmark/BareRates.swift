import Crypto
import CryptoExtras
import Foundation

/// Measures signature verification by the crypto library alone, which bounds all other rates.
enum BareRates {
    /// Returns verifications with P-256, P-384 and RSA-2048, as Apple uses them, of a given digest.
    static func subjects() throws -> [Stopwatch.Subject] {
        let digest = SHA256.hash(data: Data("The digest is given, so hashing has no part in it.".utf8))
        let largerDigest = SHA384.hash(data: Data(digest))

        let p256 = P256.Signing.PrivateKey()
        let p256Signature = try p256.signature(for: digest)
        let p384 = P384.Signing.PrivateKey()
        let p384Signature = try p384.signature(for: largerDigest)
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let rsaSignature = try rsa.signature(for: digest, padding: .insecurePKCS1v1_5)

        return [
            subject("bare.p256") { [key = p256.publicKey] in key.isValidSignature(p256Signature, for: digest) },
            subject("bare.p384") { [key = p384.publicKey] in key.isValidSignature(p384Signature, for: largerDigest) },
            subject("bare.rsa") { [key = rsa.publicKey] in
                key.isValidSignature(rsaSignature, for: digest, padding: .insecurePKCS1v1_5)
            },
        ]
    }

    private static func subject(_ name: String, _ isValid: @escaping () -> Bool) -> Stopwatch.Subject {
        Stopwatch.Subject(name: name) {
            guard isValid() else { throw Failure("\(name): A valid signature was refused.") }
        }
    }
}
