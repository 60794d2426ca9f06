import PurchaseModel

/// An app exceeded the rate limit of an endpoint.
struct RateLimitExceeded: Error, Equatable {
    /// The time at which requests are allowed again, by the machine's clock.
    var until: Timestamp
}
