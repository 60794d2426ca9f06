import HTTPTypes
import PurchaseModel
import PurchaseProtocol
import WireServer

/// The reasons for which the store refuses access to the control API, the stores of a host, or the console.
enum AccessRefusal: Error, Hashable, CaseIterable {
    /// The request carries no token, or a wrong token.
    case tokenMissing
    /// The sign-in used a wrong token.
    case tokenWrong
    /// The request comes from a web page of another origin.
    case foreignOrigin
    /// The request's `Host` is not a name of this machine.
    case foreignHost
    /// The store listens to other machines and has no token.
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
                    "Send the store's token as “Authorization: Bearer …”, or sign in at /console/ in a browser.")
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
