import HTTPTypes
import Hummingbird
import PurchaseModel
import PurchaseProof

extension LocalAppStore {
    /// Sets the rate limits of the App Store Server API, which apply to each app separately; with nil, the number of requests is unlimited.
    public func setRateLimits(_ limits: RateLimits?) {
        rateLimiter.set(limits)
    }

    /// Verifies the token of a request to the App Store Server API, counts the request, and returns the app.
    ///
    /// The token contains the bundle identifier of the app.
    ///
    /// The token's dates are compared with the machine's clock, because developers' servers sign by that clock and do not know the store's
    /// time. Only a fault that simulates a wrong clock changes the comparison.
    ///
    /// - Throws: ``Unauthorized`` if the token is missing or invalid, or ``RateLimitExceeded`` if the app exceeds the rate limit of the
    ///   endpoint.
    func authorize(_ request: Request, to endpoint: ServerAPIEndpoint, in environment: AppEnvironment) throws -> APIScope {
        let now = SigningEffects.current.date(context.clock.systemTime)
        let scope = APIScope(app: try app(of: request, at: now), environment: environment)
        if let until = rateLimiter.countRequest(endpoint, scope.bundleID, environment, at: now) { throw RateLimitExceeded(until: until) }
        return scope
    }

    private func app(of request: Request, at now: Timestamp) throws(Unauthorized) -> StoreApp {
        guard let token = request.bearerToken?.trimmingPrefix(while: { $0 == " " }) else {
            throw Unauthorized(reason: "The request has no token; send it in the header “Authorization: Bearer …”.")
        }
        let key = BackendPublicKey(id: apiKey.keyID, key: apiKey.publicKey)
        let (bundleID, findings) = APIToken.admit(String(token), with: key, issuerID: apiKey.issuerID, now: now)
        guard findings.isEmpty, let bundleID else {
            throw Unauthorized(reason: "The token is refused. " + findings.map(\.message).joined(separator: " "))
        }
        guard let app = context.apps[bundleID] else {
            throw Unauthorized(reason: "The store does not have the app that the token's claim bid names.")
        }
        return app
    }
}

/// The app and the environment that a request to the App Store Server API concerns.
///
/// The app comes from the request's token, and the environment from its URL.
struct APIScope: Sendable {
    var app: StoreApp
    var environment: AppEnvironment

    var bundleID: BundleID { app.bundleID }

    /// The app's `appAppleId` for a response; nil in the sandbox, whose responses do not contain it.
    var appAppleID: Int64? { environment == .production ? app.row.appAppleID : nil }
}

/// The error of a request to the App Store Server API whose token is missing or invalid.
///
/// The App Store responds without a reason and an error code. The local store's response has no error code either, but contains the reason
/// to help with debugging.
struct Unauthorized: Error, Equatable {
    var reason: String
}
