import Crypto
import Foundation
import Hummingbird
import WireServer

/// The access control for the control API, the stores of a host, and the console.
///
/// The device API and Apple's APIs authenticate their callers themselves, so this access control does not apply to them.
enum ControlAccess: Sendable {
    /// Clients on this machine have access; the store listens on a loopback address only.
    case loopback
    /// Clients that present the token have access.
    case token(StoreToken)
    /// No client has access: the store listens to other machines and has no token.
    case closed

    /// The access control of a store that listens on `hostname`.
    init(token: String?, hostname: String) {
        self =
            if let token { .token(StoreToken(token)) } else if Request.isLoopback(hostname) { .loopback } else { .closed }
    }

    /// Throws the reason for which a request is refused.
    func check(_ request: Request) throws(AccessRefusal) {
        try checkOrigin(request)
        if case .token(let token) = self, !token.isPresented(by: request) { throw .tokenMissing }
    }

    /// Throws if the origin or the `Host` of a request is not acceptable or if no client has access, regardless of the request's token.
    func checkOrigin(_ request: Request) throws(AccessRefusal) {
        if !request.isSameOrigin { throw .foreignOrigin }
        switch self {
        case .token:
            break
        case .loopback:
            if !request.isForLoopback { throw .foreignHost }
        case .closed:
            throw .closed
        }
    }
}
