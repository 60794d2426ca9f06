package import PurchaseModel

/// A mistake in an offer or in a token that a developer's server signed.
package enum SigningFinding: Hashable, Sendable {
    /// The part with this name, such as `signature` or `payload.request`, is malformed.
    case malformed(String)
    /// The JWT header states another algorithm than ES256.
    case algorithm
    /// The part with this name is encoded in base64 twice.
    case doubleBase64(String)
    /// The part with this name has the wrong base64 alphabet or padding.
    case wrongBase64(String)
    /// The signature of an offer is the 64 bytes of r and s instead of DER.
    case rawSignature
    /// The signature of a token is DER instead of the 64 bytes of r and s.
    case derSignature
    /// The key identifier that the offer or the token states is not that of the key; the value is the stated identifier.
    case wrongKeyID(String)
    /// No known mistake explains the invalid signature, so another key signed, or other values were signed.
    case wrongKey
    /// The signature covers another text than the required one; the value describes that text, such as `The payload alone`.
    case otherText(String)
    /// The fields of a promotional offer were signed in this order instead of the correct one.
    case fieldOrder([PromotionalOffer.Field])
    /// The fields of a promotional offer were signed with another separator than U+2063.
    case separator
    /// The field of a promotional offer with this name contains the separator, so that the signed text has several meanings.
    case separatorInField(String)
    /// The empty token of a promotional offer was omitted together with its separator.
    case missingSeparator
    /// The field or member with this name is in upper case instead of lower case.
    case upperCase(String)
    /// The field with this name is in seconds instead of milliseconds.
    case seconds(String)
    /// The member with this name is in milliseconds instead of seconds.
    case milliseconds(String)
    /// The member with this name is missing.
    case missing(String)
    /// The field or member with this name has an invalid value.
    case wrong(String)
    /// The member with this name is not allowed.
    case unexpected(String)
    /// The offer or the token expired at this date.
    case expired(Timestamp)
    /// The date of the offer or the token, which is this value, is in the future.
    case future(Timestamp)
    /// The token is valid for longer than an hour; the value is its lifetime in seconds.
    case lifetimeTooLong(Int64)

    /// A stable identifier of the mistake, such as `wrong_key_id`, for scripts.
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
        case .separatorInField: "separator_in_field"
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

    /// A description of the mistake, with its correction where there is only one.
    package var message: String {
        switch self {
        case .malformed(let place): "The data is malformed at \(place)."
        case .algorithm: "The JWT header must state the algorithm ES256, with which the token must be signed."
        case .doubleBase64(let place): "\(place) is encoded in base64 twice. Encode it once."
        case .wrongBase64(let place): "\(place) has the wrong base64 alphabet or padding. Use base64url in a JWT, and base64 elsewhere."
        case .rawSignature: "The signature of the offer is the 64 bytes of r and s. Encode the signature as DER."
        case .derSignature: "The signature of the token is DER. Encode the signature as the 64 bytes of r and s."
        case .wrongKeyID(let id): "The stated key identifier \(id) is not that of the key. Sign with the key that the identifier names."
        case .wrongKey: "The signature is invalid. Another key signed, or other values were signed."
        case .otherText(let what): "\(what) was signed instead of the required text."
        case .fieldOrder(let order): "The fields of the offer are in the wrong order: \(order.map(\.rawValue).joined(separator: ", "))."
        case .separator: "The fields of the offer were signed with the wrong separator. Use the invisible separator, U+2063."
        case .separatorInField(let field): "\(field) contains U+2063, which separates the fields of the offer. Remove it."
        case .missingSeparator: "The empty token of the offer was omitted with its separator. Keep both separators."
        case .upperCase(let field): "\(field) is in upper case. Use lower case before signing."
        case .seconds(let field): "\(field) is in seconds. Use milliseconds."
        case .milliseconds(let field): "\(field) is in milliseconds. Use seconds."
        case .missing(let field): "The member \(field) is missing."
        case .wrong(let field): "\(field) has an invalid value."
        case .unexpected(let field): "The member \(field) is not allowed. Remove it."
        case .expired(let date): "The offer or token expired at \(date). Sign a new one."
        case .future(let date): "The date of the offer or token is in the future: \(date). Check the clock of the signing server."
        case .lifetimeTooLong(let seconds): "The token is valid for \(seconds) seconds. Set its lifetime to at most 3600 seconds."
        }
    }
}
