import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProof

extension LocalAppStore {
    /// Limits how often each app may call the App Store Server API; nil, which is how a store begins, does not.
    public func setRateLimits(_ limits: RateLimits?) {
        rateLimiter.set(limits)
    }

    /// Lets a call of the App Store Server API in, by its token.
    ///
    /// A token is judged by the clock that the store's own follows, that is the machine's: developers' servers sign by theirs, and
    /// know nothing of a store whose time stands still or was moved on by a year. Only the fault of a wrong clock moves it.
    ///
    /// - Throws: ``Unauthorized`` with what is wrong with the token; ``TooManyCalls``.
    func admit(_ request: Request, to endpoint: ServerAPIEndpoint, in environment: AppEnvironment) throws -> APIScope {
        let now = SigningEffects.current.date(ledger.clock.machine)
        let scope = APIScope(app: try app(of: request, at: now), environment: environment)
        if let until = rateLimiter.take(endpoint, scope.bundleID, environment, at: now) { throw TooManyCalls(until: until) }
        return scope
    }

    private func app(of request: Request, at now: Timestamp) throws(Unauthorized) -> StoreApp {
        guard let token = request.bearerToken?.trimmingPrefix(while: { $0 == " " }) else {
            throw Unauthorized(reason: "The request has no header Authorization with Bearer and a token.")
        }
        let key = BackendPublicKey(id: apiKey.keyID, key: apiKey.publicKey)
        let (bundleID, findings) = APIToken.admit(String(token), with: key, issuerID: apiKey.issuerID, now: now)
        guard findings.isEmpty, let bundleID else {
            throw Unauthorized(reason: findings.map(\.message).joined(separator: " "))
        }
        guard let app = ledger.apps[bundleID] else {
            throw Unauthorized(reason: "This store does not sell for the app of the token (bid).")
        }
        return app
    }
}
