import Foundation
import PurchaseModel
import PurchaseProof

/// What a token of the developer's server claims about an offer; whether it is signed is another question.
struct OfferClaims: Decodable {
    var productId: String?
    var offerIdentifier: String?
    var allowIntroductoryOffer: Bool?
    var transactionId: String?
    var nonce: String

    /// Reads the claims; nil when there are none.
    init?(_ token: String) {
        guard let claims = Self.part(1, of: token, as: OfferClaims.self) else { return nil }
        self = claims
    }

    /// The claims that come with a choice of the introductory offer; nil when the store is to decide.
    init?(_ choice: OfferChoice) {
        guard choice.kind == .introductory, let token = choice.signature?.compactJWS else { return nil }
        self.init(token)
    }

    /// The name of the key that a token says it is signed with.
    static func keyID(of token: String) -> String? {
        part(0, of: token, as: Header.self)?.kid
    }

    private struct Header: Decodable {
        var kid: String?
    }

    private static func part<Value: Decodable>(_ index: Int, of token: String, as type: Value.Type) -> Value? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.indices.contains(index), let bytes = Base64URL.decode(parts[index].utf8) else { return nil }
        return try? WireJSON.decode(type, from: Data(bytes))
    }
}
