import X509

/// The two generations of the App Store's receipts.
package enum ReceiptGeneration: Sendable {
    /// Certificates and receipts were signed with SHA-1 until 2023, for some devices until January 2025.
    case sha1
    /// Certificates and receipts are signed with SHA-256.
    case sha256

    /// The digest algorithm of the signatures of receipts.
    package var digest: ReceiptDigest {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        }
    }

    /// The signature algorithm of the certificates in the chain for receipts.
    var algorithm: Certificate.SignatureAlgorithm {
        switch self {
        case .sha1: .sha1WithRSAEncryption
        case .sha256: .sha256WithRSAEncryption
        }
    }
}
