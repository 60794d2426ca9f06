import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseStorage
import ServerProtocol
import Wire
import WireServer

struct OfferController: Sendable {
    func addRoutes(to router: some RouterMethods<ServerContext>) {
        router.mount(ServerEndpoints.offers) { _, request, context in
            let caller = try context.caller(.readCustomers)
            return try await caller.app.offers.list(of: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.promotionalOffer) { body, request, context in
            let caller = try context.caller(.signOffers)
            return try await caller.app.offers.promotional(body, for: request.requiredCustomer(of: caller))
        }
        router.mount(ServerEndpoints.introductoryOffer) { body, request, context in
            let caller = try context.caller(.signOffers)
            // Only a backend can override the eligibility that follows from the customer's transactions.
            guard body.isEligible == nil || caller.isBackend else { throw OfferSigningRefusal.decision }
            return try await caller.app.offers.introductory(body, for: request.requiredCustomer(of: caller))
        }
    }
}

/// The reason why the server signs no offer.
enum OfferSigningRefusal: Error, Hashable {
    /// The server has no key that signs offers.
    case notConfigured
    /// The configuration lacks the issuer identifier, which a JWS contains.
    case noIssuer
    /// The offer identifier, the product identifier or the user name is invalid.
    case malformed
    /// The customer has no transaction, but the JWS must name a transaction.
    case noTransaction
    /// The subscription group of the product is unknown.
    case unknownGroup(ProductID)
    /// An app set the eligibility, which only a backend can set.
    case decision
}

extension OfferSigningRefusal: WireRefusal {
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
                message: "The server has no key for signing offers. Ask the server's operator to set app-store-server-api or offers.")
        case .noIssuer:
            WireError(
                code: "offers.no-issuer",
                message: "The server has no issuer identifier for a JWS. Ask the server's operator to set app-store-server-api.issuer-id.")
        case .malformed:
            WireError(
                code: "offers.malformed",
                message: "Set offerID and applicationUsername to texts of at most 200 bytes without control characters and U+2063.")
        case .noTransaction:
            WireError(
                code: "offers.no-transaction",
                message: "The customer has no transaction. The App Store decides about the introductory offer of a new customer.")
        case .unknownGroup(let product):
            WireError(
                code: "offers.unknown-group",
                message: "The subscription group of \(product) is unknown. Set isEligible, or add the product's "
                    + "subscriptionGroupID to the catalog.")
        case .decision:
            WireError(code: "offers.decision", message: "Only a backend can set isEligible. Send the request without it.")
        }
    }
}
