/// A StoreKit API that a test can make fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// The type of the API's simulated errors.
    associatedtype Failure: SKTestFailure
}

/// An error that a test can simulate for a StoreKit API.
public protocol SKTestFailure: Error, Equatable, Sendable {}
