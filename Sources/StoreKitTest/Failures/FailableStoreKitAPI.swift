/// A part of StoreKit that a test can have fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// What it can fail with.
    associatedtype Failure: SKTestFailure
}

/// What a part of StoreKit can fail with in a test.
public protocol SKTestFailure: Error, Equatable, Sendable {}
