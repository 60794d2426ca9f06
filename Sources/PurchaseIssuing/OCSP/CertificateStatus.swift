package import PurchaseModel

/// What a responder says about a certificate.
package enum CertificateStatus: Hashable, Sendable {
    /// It was not revoked.
    case good
    /// It was revoked at that time for that reason; nil for an answer without a reason.
    case revoked(at: Timestamp, reason: CRLReason?)
    /// The responder does not know it.
    case unknown
}
