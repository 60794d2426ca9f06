import Crypto
import CryptoExtras
import Foundation
package import SwiftASN1

/// The digest algorithm of a receipt's signature.
package enum ReceiptDigest: CaseIterable, Sendable {
    /// SHA-1, which the App Store used until 2023, and for some devices until January 2025.
    case sha1
    /// SHA-256, which the App Store has used since 2023, and which Xcode uses.
    case sha256
    /// SHA-384, which no known receipt uses.
    case sha384
    /// SHA-512, which no known receipt uses.
    case sha512

    /// The object identifier of the digest algorithm.
    package var identifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 3, 14, 3, 2, 26]
        case .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1]
        case .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2]
        case .sha512: [2, 16, 840, 1, 101, 3, 4, 2, 3]
        }
    }

    /// The object identifier of the signature algorithm that combines RSA with the digest algorithm.
    ///
    /// Receipts from Xcode state this identifier. Receipts from the App Store state `rsaEncryption`, which names no digest algorithm.
    package var signatureIdentifier: ASN1ObjectIdentifier {
        switch self {
        case .sha1: [1, 2, 840, 113549, 1, 1, 5]
        case .sha256: [1, 2, 840, 113549, 1, 1, 11]
        case .sha384: [1, 2, 840, 113549, 1, 1, 12]
        case .sha512: [1, 2, 840, 113549, 1, 1, 13]
        }
    }

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }

    /// Signs the digest of bytes with an RSA key, according to PKCS #1 v1.5.
    func signature(of bytes: [UInt8], by key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        let signature =
            switch self {
            case .sha1: try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: padding)
            case .sha256: try key.signature(for: SHA256.hash(data: bytes), padding: padding)
            case .sha384: try key.signature(for: SHA384.hash(data: bytes), padding: padding)
            case .sha512: try key.signature(for: SHA512.hash(data: bytes), padding: padding)
            }
        return Array(signature.rawRepresentation)
    }
}
