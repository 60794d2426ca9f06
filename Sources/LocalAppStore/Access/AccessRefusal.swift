import HTTPTypes
import PurchaseModel
import Wire
import WireServer

/// A reason for which the store refuses a request to its control API, its host's list of stores, or its web console.
enum AccessRefusal: Error, Hashable, CaseIterable {
    /// The request has no token, or a wrong token.
    case tokenMissing
    /// The token that was entered on the console's sign-in page is wrong.
    case tokenWrong
    /// The request comes from a web page of another origin.
    case foreignOrigin
    /// The request's `Host` header does not name this machine, although the store accepts requests of this machine only.
    case foreignHost
    /// The store accepts connections from other machines and has no token, so its control API and its console are closed to all clients.
    case closed
}

extension AccessRefusal: WireRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .tokenMissing, .tokenWrong: .unauthorized
        case .foreignOrigin, .foreignHost, .closed: .forbidden
        }
    }

    var wireError: WireError {
        switch self {
        case .tokenMissing:
            WireError(
                code: "access.token-missing",
                message:
                    "The store requires a token. Send it as “Authorization: Bearer …”, or sign in at /console/ in a browser.")
        case .tokenWrong:
            WireError(
                code: "access.token-wrong", message: "The token is wrong. Enter the token that the store printed when it started.")
        case .foreignOrigin:
            WireError(code: "access.foreign-origin", message: "Web pages of another origin cannot use this store.")
        case .foreignHost:
            WireError(
                code: "access.foreign-host",
                message: "A store without a token accepts only host names of this machine, such as localhost and 127.0.0.1.")
        case .closed:
            WireError(
                code: "access.closed",
                message: "This store is reachable from other machines and has no token; restart it with a token to use this path.")
        }
    }
}
