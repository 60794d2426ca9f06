import PurchaseModel

/// An app called an endpoint too often.
struct TooManyCalls: Error, Equatable {
    /// When calls are allowed again, by the machine's clock.
    var until: Timestamp
}
