import Crypto
import CryptoExtras
import Foundation

/// The digests that sign receipts: SHA-1 until January 2025, SHA-256 since 2023.
enum CMSDigest: Sendable {
    case sha1
    case sha256

    /// The digest of that OBJECT IDENTIFIER.
    init?(_ identifier: Range<Int>, _ bytes: Span<UInt8>) {
        if bytes.holds(BERObject.sha256, at: identifier) {
            self = .sha256
        } else if bytes.holds(BERObject.sha1, at: identifier) {
            self = .sha1
        } else {
            return nil
        }
    }

    /// Whether a signature algorithm names this digest.
    func isNamed(by signatureAlgorithm: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
        let named =
            switch self {
            case .sha1: BERObject.sha1WithRSA
            case .sha256: BERObject.sha256WithRSA
            }
        return bytes.holds(named, at: signatureAlgorithm)
    }

    /// Whether that key signed that content with PKCS#1 v1.5.
    func isValid(_ signature: ArraySlice<UInt8>, for content: ArraySlice<UInt8>, by key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: content), padding: .insecurePKCS1v1_5)
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5)
        }
    }

    /// The name by which people know it.
    var name: String {
        switch self {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        }
    }
}
