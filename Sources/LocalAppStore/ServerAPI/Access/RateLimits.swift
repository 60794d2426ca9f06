public import PurchaseModel

/// The rate limits of the App Store Server API, per app and endpoint.
public struct RateLimits: Hashable, Sendable {
    /// The number of requests per hour in production; an endpoint without a value has no limit.
    public var requestsPerHour: [ServerAPIEndpoint: Int64]
    /// The sandbox's part of the production limit, in percent.
    public var sandboxPercentage: Int64

    /// Creates limits.
    public init(requestsPerHour: [ServerAPIEndpoint: Int64], sandboxPercentage: Int64 = 10) {
        self.requestsPerHour = requestsPerHour
        self.sandboxPercentage = sandboxPercentage
    }

    /// The App Store's rate limits.
    public static let apple = RateLimits(
        requestsPerHour: Dictionary(
            uniqueKeysWithValues: ServerAPIEndpoint.allCases.compactMap { endpoint in
                endpoint.requestsPerSecond.map { (endpoint, $0 * 3_600) }
            }
        )
    )

    /// The number of requests per hour; nil for no limit.
    func limit(_ endpoint: ServerAPIEndpoint, in environment: AppEnvironment) -> Int64? {
        guard let calls = requestsPerHour[endpoint] else { return nil }
        guard environment != .production else { return calls }
        let (product, overflow) = calls.multipliedReportingOverflow(by: sandboxPercentage)
        return overflow ? calls : product / 100
    }
}
