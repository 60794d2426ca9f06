public import PurchaseModel

/// The rate limits of the App Store Server API, which apply to each app and endpoint separately.
public struct RateLimits: Hashable, Sendable {
    /// The maximum number of requests per hour in production; an endpoint without a value has no limit.
    public var requestsPerHour: [ServerAPIEndpoint: Int64]
    /// The limit in the sandbox, in percent of the limit in production.
    public var sandboxPercentage: Int64

    /// Creates rate limits.
    public init(requestsPerHour: [ServerAPIEndpoint: Int64], sandboxPercentage: Int64 = 10) {
        self.requestsPerHour = requestsPerHour
        self.sandboxPercentage = sandboxPercentage
    }

    /// The rate limits that Apple documents for the App Store Server API.
    public static let apple = RateLimits(
        requestsPerHour: Dictionary(
            uniqueKeysWithValues: ServerAPIEndpoint.allCases.compactMap { endpoint in
                endpoint.requestsPerSecond.map { (endpoint, $0 * 3_600) }
            }
        )
    )

    /// Returns the maximum number of requests per hour to an endpoint in an environment; nil if the number is unlimited.
    func limit(_ endpoint: ServerAPIEndpoint, in environment: AppEnvironment) -> Int64? {
        guard let calls = requestsPerHour[endpoint] else { return nil }
        guard environment != .production else { return calls }
        let (product, overflow) = calls.multipliedReportingOverflow(by: sandboxPercentage)
        return overflow ? calls : product / 100
    }
}
