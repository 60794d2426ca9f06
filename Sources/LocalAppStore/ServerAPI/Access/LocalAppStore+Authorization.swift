import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProof

extension LocalAppStore {
    /// Sets the rate limits of the App Store Server API for each app; nil, the initial value, disables the limits.
    public func setRateLimits(_ limits: RateLimits?) {
        rateLimiter.set(limits)
    }

    /// Authorizes a request to the App Store Server API by its token.
    ///
    /// The base clock of the store's time, which is the machine's clock, decides about a token's dates: developers' servers sign by
    /// that clock, and have no knowledge of a store's stopped or advanced time. Only the fault of a wrong clock shifts the clock.
    ///
    /// - Throws: ``Unauthorized`` with the defect of the token; ``RateLimitExceeded``.
    func authorize(_ request: Request, to endpoint: ServerAPIEndpoint, in environment: AppEnvironment) throws -> APIScope {
        let now = SigningEffects.current.date(ledger.clock.systemTime)
        let scope = APIScope(app: try app(of: request, at: now), environment: environment)
        if let until = rateLimiter.countRequest(endpoint, scope.bundleID, environment, at: now) { throw RateLimitExceeded(until: until) }
        return scope
    }

    private func app(of request: Request, at now: Timestamp) throws(Unauthorized) -> StoreApp {
        guard let token = request.bearerToken?.trimmingPrefix(while: { $0 == " " }) else {
            throw Unauthorized(reason: "The request has no header “Authorization: Bearer …” with a token.")
        }
        let key = BackendPublicKey(id: apiKey.keyID, key: apiKey.publicKey)
        let (bundleID, findings) = APIToken.admit(String(token), with: key, issuerID: apiKey.issuerID, now: now)
        guard findings.isEmpty, let bundleID else {
            throw Unauthorized(reason: findings.map(\.message).joined(separator: " "))
        }
        guard let app = ledger.apps[bundleID] else {
            throw Unauthorized(reason: "The store does not have the app in the token's bid.")
        }
        return app
    }
}
