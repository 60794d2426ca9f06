public import PurchaseModel

/// The rate limits of the App Store Server API, per app and endpoint.
public struct RateLimits: Hashable, Sendable {
    /// The number of requests per hour in production; an endpoint without a value has no limit.
    public var callsPerHour: [ServerAPIEndpoint: Int64]
    /// The sandbox's part of the production limit, in percent.
    public var sandboxPercentage: Int64

    /// Creates limits.
    public init(callsPerHour: [ServerAPIEndpoint: Int64], sandboxPercentage: Int64 = 10) {
        self.callsPerHour = callsPerHour
        self.sandboxPercentage = sandboxPercentage
    }

    /// The App Store's rate limits.
    public static let apple = RateLimits(
        callsPerHour: Dictionary(
            uniqueKeysWithValues: ServerAPIEndpoint.allCases.compactMap { endpoint in
                endpoint.requestsPerSecond.map { (endpoint, $0 * 3_600) }
            }
        )
    )

    /// The number of requests per hour; nil for no limit.
    func budget(_ endpoint: ServerAPIEndpoint, in environment: AppEnvironment) -> Int64? {
        guard let calls = callsPerHour[endpoint] else { return nil }
        guard environment != .production else { return calls }
        let (product, overflow) = calls.multipliedReportingOverflow(by: sandboxPercentage)
        return overflow ? calls : product / 100
    }
}
