extension ControlEndpoints {
    /// Enables or disables the App Store's rate limits for the App Store Server API; a new store has no limits.
    package static let rateLimits = Endpoint<RateLimitsRequest, Empty>(.post, "/control/v1/rate-limits")
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
