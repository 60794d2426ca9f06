import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// The reason why the server signs no offer.
enum OfferRefusal: Error, Hashable {
    /// The server has no key that signs offers.
    case notConfigured
    /// The server does not know the issuer identifier that a JWS states.
    case noIssuer
    /// The identifier of the offer or the user name is invalid.
    case malformed
    /// The customer has no transaction, which the JWS must name.
    case noTransaction
    /// The server does not know the subscription group of the product.
    case unknownGroup(ProductID)
    /// An app stated the decision itself.
    case decision
}

extension OfferRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .decision: .forbidden
        case .notConfigured, .noIssuer, .noTransaction, .unknownGroup: .unprocessableContent
        }
    }

    var wireError: WireError {
        switch self {
        case .notConfigured:
            WireError(
                code: "offers.not-configured",
                message: "The server has no key that signs offers. Its operator sets app-store-server-api or offers in the configuration.")
        case .noIssuer:
            WireError(
                code: "offers.no-issuer",
                message: "A JWS states the issuer identifier. The server's operator sets app-store-server-api.issuer-id.")
        case .malformed:
            WireError(
                code: "offers.malformed",
                message: "Set offerID and applicationUsername to texts of at most 200 bytes without control characters and U+2063.")
        case .noTransaction:
            WireError(
                code: "offers.no-transaction",
                message: "The customer has no transaction. The App Store itself decides about the introductory offer of a new customer.")
        case .unknownGroup(let product):
            WireError(
                code: "offers.unknown-group",
                message: "The server does not know the subscription group of \(product). Set isEligible, or add the product's "
                    + "subscriptionGroupID to the catalog.")
        case .decision:
            WireError(code: "offers.decision", message: "Only a backend can set isEligible. Send the request without it.")
        }
    }
}
