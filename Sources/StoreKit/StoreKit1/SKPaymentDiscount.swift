public import Foundation
import PurchaseModel
import PurchaseProtocol

/// A promotional offer, with the developer's signature that this customer may have it.
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    /// Set once, before anybody else sees it.
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

    /// Creates a discount of what the developer's server signed.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        signed = Signed(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature, timestamp: timestamp)
    }

    /// The offer.
    open var identifier: String { keyed["identifier"] ?? signed.identifier }
    /// The key that signed.
    open var keyIdentifier: String { keyed["keyIdentifier"] ?? signed.keyIdentifier }
    /// Used once.
    open var nonce: UUID { keyed["nonce"] ?? signed.nonce }
    /// ECDSA with SHA-256 over the joined fields, in DER, as Base64.
    open var signature: String { keyed["signature"] ?? signed.signature }
    /// The date of the signature, in milliseconds since 1970.
    open var timestamp: NSNumber { keyed["timestamp"] ?? signed.timestamp }

    /// Sets the value of a property by its name, for tests.
    open func setValue(_ value: Any?, forKey key: String) {
        keyed.set(value, forKey: key)
    }

    /// The discount that became an offer; nil for offers that StoreKit 1 has no form for.
    convenience init?(_ choice: OfferChoice) {
        guard choice.kind == .promotional, let identifier = choice.id, let signature = choice.signature, let key = signature.keyID,
            let nonce = signature.nonce.flatMap({ UUID(uuidString: $0) }), let timestamp = signature.timestamp,
            let bytes = signature.signature
        else { return nil }
        self.init(
            identifier: identifier, keyIdentifier: key, nonce: nonce, signature: bytes.base64EncodedString(),
            timestamp: NSNumber(value: timestamp))
    }

    /// Whether another discount says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentDiscount else { return false }
        return identifier == other.identifier && keyIdentifier == other.keyIdentifier && nonce == other.nonce
            && signature == other.signature && timestamp.int64Value == other.timestamp.int64Value
    }

    /// A hash of its nonce.
    open override var hash: Int { nonce.hashValue }

    /// The offer as the store is asked for it.
    ///
    /// What is not Base64 is sent as it is: the store refuses it as a signature that is not valid.
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
