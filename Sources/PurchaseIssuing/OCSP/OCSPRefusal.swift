/// Why a responder answers nothing (RFC 6960, section 4.2.1, OCSPResponseStatus).
package enum OCSPRefusal: Int, CaseIterable, Sendable {
    /// The request can't be read.
    case malformedRequest = 1
    /// Something is wrong with the responder.
    case internalError = 2
    /// The responder is busy.
    case tryLater = 3
    /// The request has to be signed.
    case signatureRequired = 5
    /// The responder does not answer for that issuer, or not to this client.
    case unauthorized = 6
}
