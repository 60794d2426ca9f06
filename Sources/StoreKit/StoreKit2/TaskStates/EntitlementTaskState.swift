/// The state of a task that loads the transactions that entitle a customer to a product.
///
/// On Apple's platforms, SwiftUI passes such a state to a view. On Linux, an app can store the state in its model.
public enum EntitlementTaskState<Value> {
    /// The task is loading.
    case loading
    /// The task failed with the associated error.
    case failure(any Error)
    /// The task has loaded the associated value.
    case success(Value)

    /// The loaded value; nil unless the task succeeded.
    public var value: Value? {
        if case .success(let value) = self { value } else { nil }
    }

    /// Returns a state with the transformed value, or the same state when no value is loaded.
    public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> EntitlementTaskState<NewValue> {
        try flatMap { .success(try transform($0)) }
    }

    /// Returns the state to which a closure transforms the loaded value, or the same state when no value is loaded.
    public func flatMap<NewValue>(
        _ transform: (Value) throws -> EntitlementTaskState<NewValue>
    ) rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): try transform(value)
        }
    }
}

/// Transformations of the loaded value with asynchronous closures.
extension EntitlementTaskState {
    /// Returns a state with the transformed value, or the same state when no value is loaded.
    public func map<NewValue>(_ transform: (Value) async throws -> NewValue) async rethrows -> EntitlementTaskState<NewValue> {
        try await flatMap { .success(try await transform($0)) }
    }

    /// Returns the state to which a closure transforms the loaded value, or the same state when no value is loaded.
    public func flatMap<NewValue>(
        _ transform: (Value) async throws -> EntitlementTaskState<NewValue>
    ) async rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): try await transform(value)
        }
    }
}

extension EntitlementTaskState: Sendable where Value: Sendable {}

extension EntitlementTaskState where Value == VerificationResult<Transaction>? {
    /// The loaded transaction; nil if no transaction entitles the customer to the product, or if the task has not succeeded.
    public var transaction: VerificationResult<Transaction>? { value ?? nil }
}
