import HTTPTypes
import PurchaseStorage
import Wire
import WireServer

/// The reason why the server refuses a caller.
enum CallerRefusal: Error, Hashable {
    /// The request has no API key.
    case missingKey
    /// The API key is unknown or revoked.
    case unknownKey
    /// The API key lacks the scope of the endpoint.
    case missingScope(APIKeyScope)
    /// A request with a publishable key has no customer token.
    case missingCustomerToken
    /// A request with a secret key identifies no customer.
    case missingCustomer
    /// The header that identifies the customer is invalid, or the request has both customer headers.
    case invalidCustomer
    /// The caller sent too many requests; the next request is allowed after `seconds`.
    case tooManyRequests(seconds: Int, limit: RateLimitState? = nil, isBackend: Bool = false)
}

extension CallerRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .missingKey, .unknownKey, .missingCustomerToken: .unauthorized
        case .missingScope: .forbidden
        case .missingCustomer, .invalidCustomer: .badRequest
        case .tooManyRequests: .tooManyRequests
        }
    }

    var wireError: WireError {
        switch self {
        case .missingKey:
            WireError(code: "key.missing", message: "The request has no API key. Send the header Authorization: Bearer KEY.")
        case .unknownKey:
            WireError(
                code: "key.refused",
                message: "The API key is unknown or revoked. Create a key with: tillroll-server keys create")
        case .missingScope(.administer):
            WireError(
                code: "key.scope",
                message:
                    "The API key lacks the scope \(APIKeyScope.administer.rawValue), which only admin keys have. Create an admin key with: "
                    + "tillroll-server keys create admin")
        case .missingScope(let scope):
            WireError(
                code: "key.scope",
                message: "The API key lacks the scope \(scope.rawValue). Use a key with this scope, such as a secret key of a backend.")
        case .missingCustomerToken:
            WireError(
                code: "customer-token.missing",
                message: "A request with a publishable key names its customer with a customer token. Send the header "
                    + "Tillroll-Customer-Token.")
        case .missingCustomer:
            WireError(code: "customer.missing", message: "The request names no customer. Send the header Tillroll-Customer.")
        case .invalidCustomer:
            WireError(
                code: "customer.malformed",
                message: "The customer is invalid. Send either Tillroll-Customer-Token, or Tillroll-Customer with a percent-encoded "
                    + "identifier of 1 to 200 bytes without control characters.")
        case .tooManyRequests(let seconds, _, _):
            WireError(code: "requests.too-many", message: "The caller sent too many requests. Send the next request in \(seconds) seconds.")
        }
    }

    var retryAfterSeconds: Int? {
        if case .tooManyRequests(let seconds, _, _) = self { seconds } else { nil }
    }

    var headers: HTTPFields {
        if case .tooManyRequests(_, let limit?, let isBackend) = self { limit.headers(isBackend: isBackend) } else { [:] }
    }
}
