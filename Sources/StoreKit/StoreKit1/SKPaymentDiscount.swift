public import Foundation
import PurchaseModel
import PurchaseProtocol

/// A promotional offer with the developer's signature.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    /// Set once, before other threads can access the object.
    private var signed = Signed()
    private let keyed = KeyedValues()

    private struct Signed {
        var identifier = ""
        var keyIdentifier = ""
        var nonce = UUID()
        var signature = ""
        var timestamp: NSNumber = 0
    }

    /// Creates a discount without content, for subclasses.
    public override init() {}

    /// Creates a discount from the values that the developer's server signed.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        signed = Signed(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature, timestamp: timestamp)
    }

    /// The identifier of the offer.
    open var identifier: String { keyed["identifier"] ?? signed.identifier }
    /// The identifier of the signing key.
    open var keyIdentifier: String { keyed["keyIdentifier"] ?? signed.keyIdentifier }
    /// The nonce, which the server uses once.
    open var nonce: UUID { keyed["nonce"] ?? signed.nonce }
    /// The ECDSA signature with SHA-256 over the joined fields, DER-encoded, as Base64.
    open var signature: String { keyed["signature"] ?? signed.signature }
    /// The date of the signature, in milliseconds since 1970.
    open var timestamp: NSNumber { keyed["timestamp"] ?? signed.timestamp }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// Creates a discount from an offer choice; nil for offers that StoreKit 1 can't represent.
    convenience init?(_ choice: OfferChoice) {
        guard choice.kind == .promotional, let identifier = choice.id, let signature = choice.signature, let key = signature.keyID,
            let nonce = signature.nonce.flatMap({ UUID(uuidString: $0) }), let timestamp = signature.timestamp,
            let bytes = signature.signature
        else { return nil }
        self.init(
            identifier: identifier, keyIdentifier: key, nonce: nonce, signature: bytes.base64EncodedString(),
            timestamp: NSNumber(value: timestamp))
    }

    /// Whether another discount has equal properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentDiscount else { return false }
        return identifier == other.identifier && keyIdentifier == other.keyIdentifier && nonce == other.nonce
            && signature == other.signature && timestamp.int64Value == other.timestamp.int64Value
    }

    /// A hash of the nonce.
    open override var hash: Int { nonce.hashValue }

    /// The offer choice for the request to the store.
    ///
    /// A signature that is not Base64 is sent as its UTF-8 bytes, which the store refuses as an invalid signature.
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
