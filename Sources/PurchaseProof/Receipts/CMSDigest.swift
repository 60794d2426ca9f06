import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The digests that sign receipts: SHA-1 until January 2025, SHA-256 since 2023.
enum CMSDigest {
    case sha1
    case sha256

    init?(_ identifier: ASN1ObjectIdentifier) {
        switch identifier {
        case [1, 3, 14, 3, 2, 26]: self = .sha1
        case [2, 16, 840, 1, 101, 3, 4, 2, 1]: self = .sha256
        default: return nil
        }
    }

    /// Whether a signature algorithm goes with this digest.
    ///
    /// Apple writes plain `rsaEncryption`, which leaves the digest open.
    func agrees(with signatureAlgorithm: ASN1ObjectIdentifier) -> Bool {
        switch (signatureAlgorithm, self) {
        case ([1, 2, 840, 113549, 1, 1, 1], _): true
        case ([1, 2, 840, 113549, 1, 1, 5], .sha1): true
        case ([1, 2, 840, 113549, 1, 1, 11], .sha256): true
        default: false
        }
    }

    /// Whether that key, which must be an RSA key, signed that content with PKCS#1 v1.5.
    func isValid(_ signature: ArraySlice<UInt8>, for content: ArraySlice<UInt8>, by key: Certificate.PublicKey) -> Bool {
        guard let key = _RSA.Signing.PublicKey(key) else { return false }
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5)
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
        }
    }
}
