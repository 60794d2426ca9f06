package import PurchaseModel

/// One thing that is wrong with what a developer's server signed, named so that it can be put right.
package enum SigningFinding: Hashable, Sendable {
    /// Cannot be read from this place on.
    case malformed(String)
    /// The algorithm is not ES256.
    case algorithm
    /// Base64 was applied twice.
    case doubleBase64(String)
    /// Base64 of the wrong alphabet or padding.
    case wrongBase64(String)
    /// The signature is r and s in 64 bytes where DER is wanted.
    case rawSignature
    /// The signature is DER where r and s in 64 bytes are wanted.
    case derSignature
    /// The key's identifier is another one than that of the key.
    case wrongKeyID(String)
    /// No text that was tried makes the signature right: another key signed it, or other values were signed.
    case wrongKey
    /// Another text was signed than must be: its SHA-256, the payload alone, or such.
    case otherText(String)
    /// The fields were signed in this order.
    case fieldOrder([PromotionalOffer.Field])
    /// The fields were joined by something else than U+2063.
    case separator
    /// The empty field was left out together with its separator.
    case missingSeparator
    /// The field was signed in upper case.
    case upperCase(String)
    /// Seconds where milliseconds are wanted.
    case seconds(String)
    /// Milliseconds where seconds are wanted.
    case milliseconds(String)
    /// Has no value.
    case missing(String)
    /// Has a value that is not allowed here.
    case wrong(String)
    /// Must not be there.
    case unexpected(String)
    /// Its validity ended then.
    case expired(Timestamp)
    /// It is dated in the future.
    case future(Timestamp)
    /// It is valid for longer than an hour; this many seconds.
    case livesTooLong(Int64)

    /// The finding as one stable word, for scripts.
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
        case .livesTooLong: "lives_too_long"
        }
    }

    /// The finding as a sentence that says what to change.
    package var sentence: String {
        switch self {
        case .malformed(let place): "It can't be read from \(place) on."
        case .algorithm: "Sign with ES256, and say so in the header."
        case .doubleBase64(let place): "\(place) is in base64 twice; once is enough."
        case .wrongBase64(let place): "\(place) is in another base64: mind alphabet and padding."
        case .rawSignature: "The signature is 64 bytes of r and s; DER is wanted."
        case .derSignature: "The signature is DER; the 64 bytes of r and s are wanted."
        case .wrongKeyID(let id): "It names the key \(id), which is not the one at hand."
        case .wrongKey: "The signature is by another key, or over other values."
        case .otherText(let what): "\(what) was signed instead of the text that must be."
        case .fieldOrder(let order): "The fields were signed in another order: \(order.map(\.rawValue).joined(separator: ", "))."
        case .separator: "The fields were joined by something else than U+2063."
        case .missingSeparator: "The empty field was left out; its separator must stay."
        case .upperCase(let field): "\(field) was signed in upper case; lower case is wanted."
        case .seconds(let field): "\(field) is in seconds; milliseconds are wanted."
        case .milliseconds(let field): "\(field) is in milliseconds; seconds are wanted."
        case .missing(let field): "\(field) is missing."
        case .wrong(let field): "\(field) has a value that is not allowed here."
        case .unexpected(let field): "\(field) must not be there."
        case .expired(let date): "It expired \(date)."
        case .future(let date): "It is dated in the future, \(date)."
        case .livesTooLong(let seconds): "It is valid for \(seconds) seconds; an hour is the most."
        }
    }
}
