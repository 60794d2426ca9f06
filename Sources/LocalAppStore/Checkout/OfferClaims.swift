import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// The claims about an offer in a token of the developer's server; this type does not verify the token's signature.
struct OfferClaims: Decodable {
    var productId: String?
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?
    var nonce: String

    /// Reads the claims of a token; nil if the token has none.
    init?(_ token: String) {
        guard let claims = try? WireJSON.decode(OfferClaims.self, from: Data(UnverifiedJWS(token).payload)) else { return nil }
        self = claims
    }

    /// The claims in a request for the introductory offer; nil if the store decides about eligibility.
    init?(_ choice: OfferChoice) {
        guard choice.kind == .introductory, let token = choice.signature?.compactJWS else { return nil }
        self.init(token)
    }

    /// The identifier of the signing key that a token's header states.
    static func keyID(of token: String) -> String? {
        (try? WireJSON.decode(Header.self, from: Data(UnverifiedJWS(token).header)))?.kid
    }

    private struct Header: Decodable {
        var kid: String?
    }
}
