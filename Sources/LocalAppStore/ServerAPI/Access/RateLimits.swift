public import PurchaseModel

/// How often an app may call each endpoint of the App Store Server API.
public struct RateLimits: Hashable, Sendable {
    /// How many calls an hour production allows; an endpoint that is not named has no limit.
    public var callsPerHour: [ServerAPIEndpoint: Int64]
    /// Which part of that the sandbox allows, in percent.
    public var sandboxPercentage: Int64

    /// Creates limits.
    public init(callsPerHour: [ServerAPIEndpoint: Int64], sandboxPercentage: Int64 = 10) {
        self.callsPerHour = callsPerHour
        self.sandboxPercentage = sandboxPercentage
    }

    /// Those of the App Store.
    public static let apple = RateLimits(
        callsPerHour: Dictionary(
            uniqueKeysWithValues: ServerAPIEndpoint.allCases.compactMap { endpoint in
                endpoint.requestsPerSecond.map { (endpoint, $0 * 3_600) }
            }
        )
    )

    /// How many calls an hour are allowed; nil for any number.
    func budget(_ endpoint: ServerAPIEndpoint, in environment: AppEnvironment) -> Int64? {
        guard let calls = callsPerHour[endpoint] else { return nil }
        guard environment != .production else { return calls }
        let (product, overflow) = calls.multipliedReportingOverflow(by: sandboxPercentage)
        return overflow ? calls : product / 100
    }
}
