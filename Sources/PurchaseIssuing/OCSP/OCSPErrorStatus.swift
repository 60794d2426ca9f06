/// The error status of a response without a certificate status (RFC 6960, section 4.2.1, OCSPResponseStatus).
package enum OCSPErrorStatus: Int, CaseIterable, Sendable {
    /// The request is malformed.
    case malformedRequest = 1
    /// The responder has an internal error.
    case internalError = 2
    /// The responder is busy.
    case tryLater = 3
    /// The responder requires signed requests.
    case signatureRequired = 5
    /// The responder is not authorized to respond for that issuer, or to this client.
    case unauthorized = 6
}
