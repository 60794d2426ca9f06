import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// The claims about an offer in a JWS of the developer's server.
///
/// This type only decodes the claims; it does not verify the signature of the JWS.
struct OfferClaims: Decodable {
    var productId: String?
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?
    var nonce: String

    /// Decodes the claims of a compact JWS; nil if the text is not a JWS with such claims.
    init?(_ token: String) {
        guard let claims = try? WireJSON.decode(OfferClaims.self, from: Data(UnverifiedJWS(token).payload)) else { return nil }
        self = claims
    }

    /// Decodes the claims about the introductory offer that an app requests with a purchase.
    ///
    /// The value is nil if the app requests another offer or sends no JWS; the store then determines the eligibility.
    init?(_ choice: OfferChoice) {
        guard choice.kind == .introductory, let token = choice.signature?.compactJWS else { return nil }
        self.init(token)
    }

    /// Returns the identifier of the signing key (`kid`) in the header of a compact JWS; nil if the header states none.
    static func keyID(of token: String) -> String? {
        (try? WireJSON.decode(Header.self, from: Data(UnverifiedJWS(token).header)))?.kid
    }

    private struct Header: Decodable {
        var kid: String?
    }
}
