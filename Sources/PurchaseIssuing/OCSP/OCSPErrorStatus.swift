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
