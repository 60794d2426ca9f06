package import PurchaseModel

/// The revocation status of a certificate in an OCSP response.
package enum CertificateStatus: Hashable, Sendable {
    /// The certificate is not revoked.
    case good
    /// The certificate was revoked at this time for this reason; if the reason is nil, the response states no reason.
    case revoked(at: Timestamp, reason: CRLReason?)
    /// The OCSP responder does not know the certificate.
    case unknown
}
