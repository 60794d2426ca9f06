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

/// The reason for a certificate's revocation (RFC 5280, section 5.3.1).
package enum CRLReason: Int, Sendable {
    case unspecified = 0
    case keyCompromise = 1
    case caCompromise = 2
    case affiliationChanged = 3
    case superseded = 4
    case cessationOfOperation = 5
    case certificateHold = 6
    case removeFromCRL = 8
    case privilegeWithdrawn = 9
    case aaCompromise = 10
}

/// The error that an OCSP response states instead of a certificate's status (OCSPResponseStatus of RFC 6960, section 4.2.1).
package enum OCSPErrorStatus: Int, CaseIterable, Sendable {
    /// The request is malformed.
    case malformedRequest = 1
    /// An internal error occurred in the responder.
    case internalError = 2
    /// The responder is busy, and the client should try again later.
    case tryLater = 3
    /// The responder requires signed requests.
    case signatureRequired = 5
    /// The responder is not authorized to respond for the issuer of the certificate, or to respond to the client.
    case unauthorized = 6
}
