import PurchaseModel

/// The error of a request that exceeds an app's rate limit for an endpoint of the App Store Server API.
struct RateLimitExceeded: Error, Equatable {
    /// The time from which the app may send requests to the endpoint again, by the machine's clock.
    var until: Timestamp
}
