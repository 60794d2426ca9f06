/// Anomalies of a responder's responses.
package struct OCSPAnomalies: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The response's validity ended a day ago, beyond the tolerance of about an hour that clients have.
    package static let stale = OCSPAnomalies(rawValue: 1)
    /// The response's validity begins in a day.
    package static let futureThisUpdate = OCSPAnomalies(rawValue: 1 << 1)
    /// The response does not state the end of its validity, which is permitted.
    package static let noNextUpdate = OCSPAnomalies(rawValue: 1 << 2)
    /// The response concerns a certificate with another serial number.
    package static let otherCertificate = OCSPAnomalies(rawValue: 1 << 3)
    /// The response is signed by another authority's key, whose certificate has the right purpose and names the same issuer.
    package static let unknownResponder = OCSPAnomalies(rawValue: 1 << 4)
    /// The response is signed with the authority's leaf, whose certificate lacks the purpose of OCSP signing.
    package static let signedByLeaf = OCSPAnomalies(rawValue: 1 << 5)
    /// A byte of the signature is wrong.
    package static let invalidSignature = OCSPAnomalies(rawValue: 1 << 6)
    /// The responder is identified by its name instead of by the hash of its key, which is permitted.
    package static let responderByName = OCSPAnomalies(rawValue: 1 << 7)
    /// The nonce of the request is omitted, which is permitted and common.
    package static let noNonce = OCSPAnomalies(rawValue: 1 << 8)
    /// The nonce differs from the request's nonce.
    package static let wrongNonce = OCSPAnomalies(rawValue: 1 << 9)
    /// The response lacks the responder's certificate.
    package static let noCertificate = OCSPAnomalies(rawValue: 1 << 10)
}
