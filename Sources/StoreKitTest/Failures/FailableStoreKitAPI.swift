/// A StoreKit API for which a test can simulate an error.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// The type of the errors that a test can simulate for the API.
    associatedtype Failure: SKTestFailure
}

/// An error that a test can simulate for a StoreKit API.
public protocol SKTestFailure: Error, Equatable, Sendable {}
