extension ControlEndpoints {
    /// Limits how often apps may call the App Store Server API, as the App Store does; a store begins without limits.
    public static let rateLimits = Endpoint<RateLimitsRequest, Empty>(.post, "/control/v1/rate-limits")
}
