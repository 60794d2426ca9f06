import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseProtocol

/// What a token of the developer's server claims about an offer; whether it is signed is another question.
struct OfferClaims: Decodable {
    var productId: String?
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?
    var nonce: String

    /// Reads the claims; nil when there are none.
    init?(_ token: String) {
        guard let claims = try? WireJSON.decode(OfferClaims.self, from: Data(UnverifiedJWS(token).payload)) else { return nil }
        self = claims
    }

    /// The claims that come with a choice of the introductory offer; nil when the store is to decide.
    init?(_ choice: OfferChoice) {
        guard choice.kind == .introductory, let token = choice.signature?.compactJWS else { return nil }
        self.init(token)
    }

    /// The name of the key that a token says it is signed with.
    static func keyID(of token: String) -> String? {
        (try? WireJSON.decode(Header.self, from: Data(UnverifiedJWS(token).header)))?.kid
    }

    private struct Header: Decodable {
        var kid: String?
    }
}
