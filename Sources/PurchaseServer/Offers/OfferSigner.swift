import Foundation
import PurchaseModel
import PurchaseProof
import ServerProtocol

/// Signs the offers of one app with its In-App Purchase key.
///
/// Source: [Generating a signature for promotional offers][legacy], [Generating JWS to sign App Store requests][jws].
///
/// [legacy]: https://developer.apple.com/documentation/storekit/generating-a-signature-for-promotional-offers
/// [jws]: https://developer.apple.com/documentation/storekit/generating-jws-to-sign-app-store-requests
struct OfferSigner: Sendable {
    private let app: BundleID
    private let issuerID: String
    private let key: BackendKey
    /// The machine's clock, because the App Store refuses a signature with an old date.
    private let clock: any WallClock

    /// Reads the private key that signs the offers.
    ///
    /// - Throws: ``ConfigurationError/offerKey`` if the text is not a private P-256 key.
    init(_ key: AppStoreServerAPIKey, of app: BundleID, clock: any WallClock) throws(ConfigurationError) {
        self.app = app
        self.clock = clock
        issuerID = key.issuerID
        do throws(BackendKeyError) { self.key = try BackendKey(pem: key.privateKey, id: key.keyID) } catch { throw .offerKey }
    }

    /// Signs a promotional offer in the original format.
    ///
    /// - Throws: ``OfferSigningRefusal/malformed`` if the product's identifier or another field contains the separator of the fields.
    /// - Parameter token: The `appAccountToken` or `applicationUsername` of the purchase.
    func signature(of offer: String, _ product: ProductID, token: String) throws -> PromotionalOfferReply.Signature {
        let nonce = UUID()
        let signed = PromotionalOffer(
            bundleID: app, keyID: key.id, productID: product, offerID: offer, token: token.lowercased(),
            nonce: nonce.uuidString.lowercased(), timestamp: clock.now.milliseconds)
        guard signed.fieldWithSeparator == nil else { throw OfferSigningRefusal.malformed }
        return PromotionalOfferReply.Signature(
            keyID: key.id, nonce: nonce, timestamp: signed.timestamp, signature: Data(base64Encoded: try signed.sign(with: key)) ?? Data(),
            token: signed.token)
    }

    /// Signs the JWS for an offer.
    ///
    /// - Throws: ``OfferSigningRefusal/noIssuer`` without the issuer identifier, which the JWS states.
    func token(_ subject: OfferToken.Subject) throws -> String {
        guard !issuerID.isEmpty else { throw OfferSigningRefusal.noIssuer }
        return try OfferToken(issuerID: issuerID, bundleID: app, issuedAt: clock.now, nonce: UUID(), subject: subject).sign(with: key)
    }
}
