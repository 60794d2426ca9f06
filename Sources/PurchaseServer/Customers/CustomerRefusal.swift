import HTTPTypes
import PurchaseModel
import PurchaseStorage
import Wire
import WireServer

/// The reason why the server refuses a request about a customer.
enum CustomerRefusal: Error, Hashable {
    /// The customer's identifier is not a UUID.
    case malformed
    /// The customer token is unknown, or the customer was deleted.
    case token
    /// No customer has the alias.
    case unknown
    /// The UUID already identifies a customer, or has purchases, credits or grants.
    case exists
    /// The alias is empty, too long, a UUID, or contains a control character.
    case aliasMalformed
    /// Another customer has the alias, and the server can't merge the two customers, because both have aliases.
    case aliasTaken
    /// The customer does not have the alias to remove.
    case aliasUnknown
    /// The customer has too many aliases.
    case aliasLimit
    /// The server has no record of the merge.
    case mergeUnknown
    /// Credits were posted after the merge, and no record states which of the two customers owns the credits.
    case mergeFinal
}

extension CustomerRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .malformed, .aliasMalformed: .badRequest
        case .token: .unauthorized
        case .unknown, .aliasUnknown, .mergeUnknown: .notFound
        case .exists, .aliasTaken, .aliasLimit, .mergeFinal: .conflict
        }
    }

    var wireError: WireError {
        switch self {
        case .malformed:
            WireError(code: "customer.malformed", message: "The customer identifier must be a UUID.")
        case .token:
            WireError(
                code: "customer-token.refused",
                message: "The customer token is unknown or was revoked. Create a customer, or request a token from the app's backend.")
        case .unknown:
            WireError(code: "customer.unknown", message: "No customer has this alias.")
        case .exists:
            WireError(
                code: "customer.exists",
                message: "This UUID already belongs to a customer. Request a token for this customer with POST /v1/customer/tokens.")
        case .aliasMalformed:
            WireError(
                code: "alias.malformed",
                message: "An alias must have 1 to 200 bytes without control characters, and must not be a UUID.")
        case .aliasTaken:
            WireError(
                code: "alias.taken",
                message: "Another customer has this alias, and this customer has aliases, too. Only an anonymous customer can be merged.")
        case .aliasUnknown:
            WireError(
                code: "alias.unknown",
                message: "The customer does not have this alias. GET /v1/customer lists the aliases, which compare by their bytes.")
        case .aliasLimit:
            WireError(code: "alias.limit", message: "The customer has \(CustomerService.aliasLimit) aliases, which is the maximum.")
        case .mergeUnknown:
            WireError(
                code: "merge.unknown",
                message: """
                    The server has no record of a merge of this customer. GET /v1/customer lists the merges that can be undone. A merge \
                    into a customer who was merged later can be undone after the later merge.
                    """)
        case .mergeFinal:
            WireError(
                code: "merge.final",
                message: """
                    The merge can't be undone, because credits were added or debited after it. If these credits came with a later merge, \
                    undo the later merge first. Otherwise move the credits of the other customer with \
                    POST /v1/customer/debits and POST /v1/customer/credits.
                    """)
        }
    }
}

extension CustomerRefusal: PositionDependentError {
    /// Whether a replica can cause the error, because the replica lacks a customer token that the primary already has.
    var dependsOnPosition: Bool { self == .token }
}
