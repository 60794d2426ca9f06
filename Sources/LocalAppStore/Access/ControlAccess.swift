import Crypto
import Foundation
import Hummingbird
import WireServer

/// The rule that decides which clients may use the control API, create and remove stores, and open the web console.
///
/// The rule does not apply to the device API and to Apple's APIs, which authenticate their callers in their own ways.
enum ControlAccess: Sendable {
    /// Every client has access, because the store listens on a loopback address, which only this machine reaches.
    case loopback
    /// Clients that send the token have access.
    case token(StoreToken)
    /// No client has access, because the store accepts connections from other machines and has no token.
    case closed

    /// Creates the rule for a store that listens on `hostname`; `token` is nil for a store without a token.
    init(token: String?, hostname: String) {
        self =
            if let token { .token(StoreToken(token)) } else if Request.isLoopback(hostname) { .loopback } else { .closed }
    }

    /// Checks whether a request has access.
    ///
    /// - Throws: The reason if the request has no access.
    func check(_ request: Request) throws(AccessRefusal) {
        try checkOrigin(request)
        if case .token(let token) = self, !token.isPresented(by: request) { throw .tokenMissing }
    }

    /// Checks the origin and the `Host` header of a request, but not the token.
    ///
    /// - Throws: The reason if the origin or the `Host` header is not allowed, or if no client has access.
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
