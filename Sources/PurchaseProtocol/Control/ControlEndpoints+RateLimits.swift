extension ControlEndpoints {
    /// Limits how often apps may call the App Store Server API, as the App Store does; a store begins without limits.
    package static let rateLimits = Endpoint<RateLimitsRequest, Empty>(.post, "/control/v1/rate-limits")
}

/// Switches the limits of the App Store Server API on or off.
package struct RateLimitsRequest: Codable, Hashable, Sendable {
    /// Whether apps may call only as often as the App Store lets them.
    package var isOn: Bool

    /// Creates a request.
    package init(isOn: Bool) {
        self.isOn = isOn
    }
}
