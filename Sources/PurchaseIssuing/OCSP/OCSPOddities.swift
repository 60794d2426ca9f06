/// How the answers of a responder can differ from what they should be.
package struct OCSPOddities: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The answer's validity ended a day ago: more than the hour or so that readers forgive.
    package static let stale = OCSPOddities(rawValue: 1)
    /// The answer's validity begins in a day.
    package static let fromTheFuture = OCSPOddities(rawValue: 1 << 1)
    /// The answer does not say when its validity ends, which is allowed.
    package static let noNextUpdate = OCSPOddities(rawValue: 1 << 2)
    /// The answer is about a certificate of another number.
    package static let aboutAnother = OCSPOddities(rawValue: 1 << 3)
    /// The answer is signed by a stranger, whose certificate has the right purpose and claims to come from the issuer.
    package static let strangersSignature = OCSPOddities(rawValue: 1 << 4)
    /// The answer is signed with the authority's leaf, whose purpose this is not.
    package static let leafsSignature = OCSPOddities(rawValue: 1 << 5)
    /// A byte of the signature is wrong.
    package static let damagedSignature = OCSPOddities(rawValue: 1 << 6)
    /// The responder is identified by its name rather than by the hash of its key, which is allowed.
    package static let namedResponder = OCSPOddities(rawValue: 1 << 7)
    /// The nonce of the request is left out, which is allowed and usual.
    package static let noNonce = OCSPOddities(rawValue: 1 << 8)
    /// The nonce is another than the request's.
    package static let otherNonce = OCSPOddities(rawValue: 1 << 9)
    /// The answer holds no certificate of the responder.
    package static let noCertificate = OCSPOddities(rawValue: 1 << 10)
}
