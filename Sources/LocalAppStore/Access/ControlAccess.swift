import Crypto
import Foundation
import Hummingbird
import WireServer

/// Who may use what is for people and tests: the control API, the stores of a host, and the console.
///
/// The protocols of devices and of the App Store have proofs of their own, and stay open to all.
enum ControlAccess: Sendable {
    /// Who runs on this machine; the store listens to nobody else.
    case loopback
    /// Who knows the token.
    case token(StoreToken)
    /// Nobody: the store listens to other machines and was given no token.
    case closed

    /// What a store that listens on `hostname` demands.
    init(token: String?, hostname: String) {
        self =
            if let token { .token(StoreToken(token)) } else if Request.isLoopback(hostname) { .loopback } else { .closed }
    }

    /// Throws what is wrong with a request.
    func check(_ request: Request) throws(AccessRefusal) {
        try checkPlace(request)
        if case .token(let token) = self, !token.isShown(by: request) { throw .tokenMissing }
    }

    /// Throws what is wrong with where a request comes from and what it asks for, whoever sends it.
    func checkPlace(_ request: Request) throws(AccessRefusal) {
        if !request.isOfSameOrigin { throw .foreignOrigin }
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
