public import Foundation
import PurchaseModel
import StoreProtocol

/// A promotional offer for a subscription, with the developer's signature.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    /// The values that the developer's server signed; set once, before other threads can access the object.
    private var signed = Signed()
    private let keyed = KeyedValues()

    private struct Signed {
        var identifier = ""
        var keyIdentifier = ""
        var nonce = UUID()
        var signature = ""
        var timestamp: NSNumber = 0
    }

    /// Creates a discount with default values, for subclasses.
    public override init() {}

    /// Creates a discount from the values that the developer's server signed.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        signed = Signed(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature, timestamp: timestamp)
    }

    /// The identifier of the promotional offer.
    open var identifier: String { keyed["identifier"] ?? signed.identifier }
    /// The identifier of the developer's key that created the signature.
    open var keyIdentifier: String { keyed["keyIdentifier"] ?? signed.keyIdentifier }
    /// The UUID that the developer's server generated for this signature.
    open var nonce: UUID { keyed["nonce"] ?? signed.nonce }
    /// The signature of the offer: ECDSA with SHA-256, DER-encoded, as Base64 text.
    open var signature: String { keyed["signature"] ?? signed.signature }
    /// The date on which the developer's server signed the offer, in milliseconds since 1970.
    open var timestamp: NSNumber { keyed["timestamp"] ?? signed.timestamp }

    /// Overrides the value of the property with the name `key`, for tests; nil removes the override.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// Creates a discount from a payment's offer; returns nil unless the offer is a promotional offer with a complete signature.
    convenience init?(_ choice: OfferChoice) {
        guard choice.kind == .promotional, let identifier = choice.id, let signature = choice.signature, let key = signature.keyID,
            let nonce = signature.nonce.flatMap({ UUID(uuidString: $0) }), let timestamp = signature.timestamp,
            let bytes = signature.signature
        else { return nil }
        self.init(
            identifier: identifier, keyIdentifier: key, nonce: nonce, signature: bytes.base64EncodedString(),
            timestamp: NSNumber(value: timestamp))
    }

    /// Returns whether another object is a discount with equal properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentDiscount else { return false }
        return identifier == other.identifier && keyIdentifier == other.keyIdentifier && nonce == other.nonce
            && signature == other.signature && timestamp.int64Value == other.timestamp.int64Value
    }

    /// A hash value of the nonce.
    open override var hash: Int { nonce.hashValue }

    /// The discount in the form of a purchase request to the store.
    ///
    /// If the signature is not Base64, its UTF-8 bytes are sent, which the store refuses as an invalid signature.
    var choice: OfferChoice {
        let signature = Data(base64Encoded: signature) ?? Data(signature.utf8)
        return OfferChoice(
            kind: .promotional,
            id: identifier,
            signature: OfferSignature(
                keyID: keyIdentifier, nonce: nonce.uuidString.lowercased(), timestamp: timestamp.int64Value, signature: signature)
        )
    }
}
