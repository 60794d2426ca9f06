public import PurchaseModel

/// The reason for which a response can't be signed, or its signature is refused.
public enum MessageSignatureError: Error, Hashable, Sendable {
    /// The response lacks this field, `Signature-Input` or `Signature`: the server did not sign it, or a proxy removed the field.
    case missingField(String)
    /// The value of this field is not a dictionary of structured fields.
    case malformedField(String, StructuredFieldError)
    /// The response has no signature with the tag `tillroll`, or more than ``ResponseVerifier/maximumSignatures``.
    case noSignature
    /// A parameter of the signature is missing or has an invalid value: `created`, `expires`, `keyid`, `nonce`, `alg` or `tag`.
    case invalidParameter(String)
    /// The signature names another algorithm than `ecdsa-p256-sha256`.
    case algorithm(String)
    /// The verifier has no key with this identifier. Update the app's keys.
    case unknownKey(String)
    /// The signature does not cover a required component, so the component could have been changed.
    case notCovered(SignatureComponent)
    /// The signature covers a component that is not supported; the text is its identifier, at most 100 characters.
    case unsupportedComponent(String)
    /// The signature covers this component twice.
    case repeatedComponent(SignatureComponent)
    /// The message does not have this component, or its value has characters other than printable ASCII.
    case unavailableComponent(SignatureComponent)
    /// The signature is not that of the key over the response and the request: one of them was changed, or the response belongs to another
    /// request.
    case signature
    /// The response is authentic, and repeats the nonce of another request: it is replayed.
    case nonce
    /// The response is authentic, and dated in the future by more than the tolerance. Correct the local clock.
    case createdInFuture(Timestamp)
    /// The response is authentic, and older than the maximum age; the value is its date. It is replayed, or the local clock is wrong.
    case tooOld(Timestamp)
    /// The response is authentic, and expired at this date.
    case expired(Timestamp)
    /// The signature is valid, and the content is not that which was signed.
    case content(ContentDigestError)
    /// The system's random number generator failed, so nothing can be signed.
    case cannotSign
}

extension MessageSignatureError: CustomStringConvertible {
    /// What failed, and what to do next.
    public var description: String {
        switch self {
        case .missingField(let name): "The response is not signed: it has no field \(name)."
        case .malformedField(let name, let error): "The field \(name) is not a structured field: \(error)."
        case .noSignature: "The response has no signature with the tag \"\(ResponseSigner.tag)\", or too many."
        case .invalidParameter(let name): "The signature's parameter \(name) is missing or invalid."
        case .algorithm(let name): "The signature's algorithm is \(name); only \(SignatureParameters.algorithm) is accepted."
        case .unknownKey(let id): "No key \"\(id)\" verifies signatures. Update the app's keys."
        case .notCovered(let component): "The signature does not cover \(component)."
        case .unsupportedComponent(let text): "The signature covers \(text), which is not supported."
        case .repeatedComponent(let component): "The signature covers \(component) twice."
        case .unavailableComponent(let component): "The message has no valid value for \(component), which its signature covers."
        case .signature: "The signature does not match the response and its request."
        case .nonce: "The response repeats the nonce of another request."
        case .createdInFuture(let date): "The response is dated \(date), in the future. Correct the clock of this device."
        case .tooOld(let date): "The response is dated \(date), too long ago. Request it again, and check the clock of this device."
        case .expired(let date): "The signature of the response expired at \(date). Request it again."
        case .content(let error): "The content of the response is not the signed one: \(error)."
        case .cannotSign: "The system's random number generator failed."
        }
    }
}
