import Crypto
import CryptoExtras
import Foundation
import SwiftASN1

/// A private key that signs signed data or OCSP responses.
enum SigningKey: Sendable {
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    /// The name of the key's signature algorithm in the header of a JWS.
    var jwsAlgorithm: String {
        switch self {
        case .p256: "ES256"
        case .p384: "ES384"
        case .rsa: "RS256"
        }
    }

    /// Signs data in the format of a JWS: r and s for an elliptic-curve key, or an RSA signature (PKCS #1 v1.5) with SHA-256.
    func jwsSignature(for data: some DataProtocol) throws -> Data {
        switch self {
        case .p256(let key): try key.signature(for: data).rawRepresentation
        case .p384(let key): try key.signature(for: data).rawRepresentation
        case .rsa(let key): try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    /// Signs data in the format of X.509 certificates and OCSP responses, and returns the signature with its AlgorithmIdentifier.
    func x509Signature(for data: some DataProtocol) throws -> (algorithm: ASN1Algorithm, signature: Data) {
        switch self {
        case .p256(let key):
            (ASN1Algorithm([1, 2, 840, 10045, 4, 3, 2], hasNull: false), try key.signature(for: data).derRepresentation)
        case .p384(let key):
            (ASN1Algorithm([1, 2, 840, 10045, 4, 3, 3], hasNull: false), try key.signature(for: data).derRepresentation)
        case .rsa(let key):
            (
                ASN1Algorithm([1, 2, 840, 113549, 1, 1, 11]),
                try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
            )
        }
    }
}

extension P384.Signing.PrivateKey {
    /// Generates a private key from bytes of the system's random number generator.
    ///
    /// In the unlikely case that the bytes are not a valid private key, the method tries again with new bytes. It is faster than the
    /// initializer `P384.Signing.PrivateKey()` of swift-crypto, which checks the consistency of each new key pair. The check would take
    /// longer than the rest of the creation of a local store.
    static func generate() -> P384.Signing.PrivateKey {
        while true {
            if let key = try? P384.Signing.PrivateKey(rawRepresentation: RandomBytes.system(48)) { return key }
        }
    }
}
