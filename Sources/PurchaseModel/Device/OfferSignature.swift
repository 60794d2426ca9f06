public import Foundation

/// The developer's word that a customer may have a promotional offer, in the form of 2018 or as a JWS.
public struct OfferSignature: Codable, Hashable, Sendable {
    /// The key's name.
    public var keyID: String?
    /// Used once.
    public var nonce: String?
    /// When it was signed, in milliseconds since 1970.
    public var timestamp: Int64?
    /// ECDSA over the joined fields, in DER.
    public var signature: Data?
    /// The newer form, instead of all of the above.
    public var compactJWS: String?

    /// Creates a signature in the form of 2018.
    public init(keyID: String, nonce: String, timestamp: Int64, signature: Data) {
        self.keyID = keyID
        self.nonce = nonce
        self.timestamp = timestamp
        self.signature = signature
    }

    /// Creates a signature in the newer form.
    public init(compactJWS: String) {
        self.compactJWS = compactJWS
    }
}
