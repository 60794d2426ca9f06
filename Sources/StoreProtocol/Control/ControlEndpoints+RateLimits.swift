package import Wire

extension ControlEndpoints {
    /// Enables or disables the App Store's rate limits for the App Store Server API; a new store has no limits.
    package static let rateLimits = Endpoint<RateLimitsRequest, Empty>(.post, "/control/v1/rate-limits")
    /// Reads the rate limits of the App Store Server API, and whether the store enforces them.
    package static let rateLimitState = Endpoint<Empty, RateLimitsReply>(.get, "/control/v1/rate-limits")
}

/// A request to enable or disable the rate limits of the App Store Server API.
package struct RateLimitsRequest: Codable, Hashable, Sendable {
    /// Whether the store enforces the App Store's rate limits.
    package var isEnabled: Bool

    /// Creates a request.
    package init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }
}

/// The rate limits of the App Store Server API.
public struct RateLimitsReply: Codable, Hashable, Sendable {
    /// The limit of one endpoint, which applies to each app separately.
    public struct Limit: Codable, Hashable, Sendable {
        /// The method and the path of the endpoint, such as `GET /inApps/v2/history/{transactionId}`.
        public var endpoint: String
        /// The maximum number of requests per hour in production.
        public var production: Int64
        /// The maximum number of requests per hour in the sandbox.
        public var sandbox: Int64

        /// Creates a limit.
        package init(endpoint: String, production: Int64, sandbox: Int64) {
            self.endpoint = endpoint
            self.production = production
            self.sandbox = sandbox
        }
    }

    /// Whether the store enforces the limits.
    public var isEnabled: Bool
    /// The limits that the store enforces, or would enforce after they are enabled.
    public var limits: [Limit]

    /// Creates a reply.
    package init(isEnabled: Bool, limits: [Limit]) {
        self.isEnabled = isEnabled
        self.limits = limits
    }
}
