package import PurchaseModel

/// A mistake in an offer or a token of a developer's server.
package enum SigningFinding: Hashable, Sendable {
    /// The data is malformed at this place.
    case malformed(String)
    /// The algorithm is not ES256.
    case algorithm
    /// The data is encoded in base64 twice.
    case doubleBase64(String)
    /// The data has another base64 alphabet or padding.
    case wrongBase64(String)
    /// The signature is r and s in 64 bytes instead of DER.
    case rawSignature
    /// The signature is DER instead of r and s in 64 bytes.
    case derSignature
    /// The key identifier does not match the key.
    case wrongKeyID(String)
    /// No known mistake explains the signature: another key or other values were signed.
    case wrongKey
    /// Another text was signed: its SHA-256, the payload alone, or similar.
    case otherText(String)
    /// The fields were signed in this order.
    case fieldOrder([PromotionalOffer.Field])
    /// The separator is not U+2063.
    case separator
    /// An empty field was omitted together with its separator.
    case missingSeparator
    /// The field was signed in upper case.
    case upperCase(String)
    /// The value is in seconds instead of milliseconds.
    case seconds(String)
    /// The value is in milliseconds instead of seconds.
    case milliseconds(String)
    /// The member is missing.
    case missing(String)
    /// The member has an invalid value.
    case wrong(String)
    /// The member is not allowed.
    case unexpected(String)
    /// The offer or the token expired at this date.
    case expired(Timestamp)
    /// The date of the offer or the token is in the future.
    case future(Timestamp)
    /// The token is valid for longer than an hour; the value is its lifetime in seconds.
    case lifetimeTooLong(Int64)

    /// A stable identifier, for scripts.
    package var code: String {
        switch self {
        case .malformed: "malformed"
        case .algorithm: "algorithm"
        case .doubleBase64: "double_base64"
        case .wrongBase64: "wrong_base64"
        case .rawSignature: "raw_signature"
        case .derSignature: "der_signature"
        case .wrongKeyID: "wrong_key_id"
        case .wrongKey: "wrong_key"
        case .otherText: "other_text"
        case .fieldOrder: "field_order"
        case .separator: "separator"
        case .missingSeparator: "missing_separator"
        case .upperCase: "upper_case"
        case .seconds: "seconds"
        case .milliseconds: "milliseconds"
        case .missing: "missing"
        case .wrong: "wrong"
        case .unexpected: "unexpected"
        case .expired: "expired"
        case .future: "future"
        case .lifetimeTooLong: "lifetime_too_long"
        }
    }

    /// The mistake and its correction, as a sentence.
    package var message: String {
        switch self {
        case .malformed(let place): "The data is malformed at \(place)."
        case .algorithm: "The algorithm must be ES256, for the signature and in the header."
        case .doubleBase64(let place): "\(place) is encoded in base64 twice. Encode it once."
        case .wrongBase64(let place): "\(place) has another base64 alphabet or padding."
        case .rawSignature: "The signature is 64 bytes of r and s. Use DER."
        case .derSignature: "The signature is DER. Use the 64 bytes of r and s."
        case .wrongKeyID(let id): "The key identifier \(id) does not match the key."
        case .wrongKey: "Another key or other values were signed."
        case .otherText(let what): "\(what) was signed instead of the required text."
        case .fieldOrder(let order): "The fields were signed in another order: \(order.map(\.rawValue).joined(separator: ", "))."
        case .separator: "The separator of the fields is not U+2063."
        case .missingSeparator: "An empty field was omitted with its separator. Keep the separator."
        case .upperCase(let field): "\(field) was signed in upper case. Use lower case."
        case .seconds(let field): "\(field) is in seconds. Use milliseconds."
        case .milliseconds(let field): "\(field) is in milliseconds. Use seconds."
        case .missing(let field): "\(field) is missing."
        case .wrong(let field): "\(field) has an invalid value."
        case .unexpected(let field): "\(field) is not allowed."
        case .expired(let date): "The offer or token expired \(date)."
        case .future(let date): "The date \(date) is in the future."
        case .lifetimeTooLong(let seconds): "The token is valid for \(seconds) seconds. The maximum is 3600 seconds."
        }
    }
}
