/// Anomalies of OCSP responses, with which tests simulate faulty or unusual responders.
package struct OCSPAnomalies: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The response's validity ended a day ago, which is longer than the hour or so that clients tolerate.
    package static let stale = OCSPAnomalies(rawValue: 1)
    /// The response's validity begins a day in the future.
    package static let futureThisUpdate = OCSPAnomalies(rawValue: 1 << 1)
    /// The response does not state the end of its validity (`nextUpdate`), which RFC 6960 permits.
    package static let noNextUpdate = OCSPAnomalies(rawValue: 1 << 2)
    /// The response concerns a certificate with another serial number.
    package static let otherCertificate = OCSPAnomalies(rawValue: 1 << 3)
    /// The response is signed by a responder that the issuer did not authorize: another key signed the responder's certificate, which names
    /// the issuer and has the purpose of OCSP signing.
    package static let unknownResponder = OCSPAnomalies(rawValue: 1 << 4)
    /// The response is signed with the key of the chain's leaf certificate, which lacks the purpose of OCSP signing.
    package static let signedByLeaf = OCSPAnomalies(rawValue: 1 << 5)
    /// The signature of the response is invalid: its last byte is changed.
    package static let invalidSignature = OCSPAnomalies(rawValue: 1 << 6)
    /// The response identifies the responder by its name instead of by the hash of its key, which RFC 6960 permits.
    package static let responderByName = OCSPAnomalies(rawValue: 1 << 7)
    /// The response omits the nonce of the request, which RFC 6960 permits, and which is common.
    package static let noNonce = OCSPAnomalies(rawValue: 1 << 8)
    /// The nonce of the response differs from the nonce of the request.
    package static let wrongNonce = OCSPAnomalies(rawValue: 1 << 9)
    /// The response does not include the responder's certificate.
    package static let noCertificate = OCSPAnomalies(rawValue: 1 << 10)
}
