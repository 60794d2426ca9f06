package import PurchaseModel

/// The status of a certificate in a responder's response.
package enum CertificateStatus: Hashable, Sendable {
    /// The certificate is not revoked.
    case good
    /// The certificate was revoked at that time for that reason; a nil reason is omitted from the response.
    case revoked(at: Timestamp, reason: CRLReason?)
    /// The responder does not know the certificate.
    case unknown
}
