/// The state of a task that loads a customer's entitlement.
///
/// On Apple's platforms, SwiftUI passes the state to a view. Here it is a plain value, for models that store one.
public enum EntitlementTaskState<Value> {
    /// The task is loading.
    case loading
    /// The task failed.
    case failure(any Error)
    /// The task has loaded the value.
    case success(Value)

    /// The loaded value; nil unless the task succeeded.
    public var value: Value? {
        if case .success(let value) = self { value } else { nil }
    }

    /// Transforms the loaded value; the other states stay the same.
    public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> EntitlementTaskState<NewValue> {
        try flatMap { .success(try transform($0)) }
    }

    /// Transforms the loaded value to another state; the other states stay the same.
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

/// The transformations for asynchronous closures.
extension EntitlementTaskState {
    /// Transforms the loaded value; the other states stay the same.
    public func map<NewValue>(_ transform: (Value) async throws -> NewValue) async rethrows -> EntitlementTaskState<NewValue> {
        try await flatMap { .success(try await transform($0)) }
    }

    /// Transforms the loaded value to another state; the other states stay the same.
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
    /// The transaction that entitles the customer; nil unless the task succeeded and there is one.
    public var transaction: VerificationResult<Transaction>? { value ?? nil }
}
