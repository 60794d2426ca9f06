/// Anomalies of a responder's responses.
package struct OCSPAnomalies: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The response's validity ended a day ago: more than the hour or so that readers forgive.
    package static let stale = OCSPAnomalies(rawValue: 1)
    /// The response's validity begins in a day.
    package static let fromTheFuture = OCSPAnomalies(rawValue: 1 << 1)
    /// The response does not say when its validity ends, which is allowed.
    package static let noNextUpdate = OCSPAnomalies(rawValue: 1 << 2)
    /// The response is about a certificate of another number.
    package static let aboutAnother = OCSPAnomalies(rawValue: 1 << 3)
    /// The response is signed by a stranger, whose certificate has the right purpose and claims to come from the issuer.
    package static let strangersSignature = OCSPAnomalies(rawValue: 1 << 4)
    /// The response is signed with the authority's leaf, whose purpose this is not.
    package static let leafsSignature = OCSPAnomalies(rawValue: 1 << 5)
    /// A byte of the signature is wrong.
    package static let damagedSignature = OCSPAnomalies(rawValue: 1 << 6)
    /// The responder is identified by its name rather than by the hash of its key, which is allowed.
    package static let namedResponder = OCSPAnomalies(rawValue: 1 << 7)
    /// The nonce of the request is left out, which is allowed and usual.
    package static let noNonce = OCSPAnomalies(rawValue: 1 << 8)
    /// The nonce is another than the request's.
    package static let otherNonce = OCSPAnomalies(rawValue: 1 << 9)
    /// The response holds no certificate of the responder.
    package static let noCertificate = OCSPAnomalies(rawValue: 1 << 10)
}
