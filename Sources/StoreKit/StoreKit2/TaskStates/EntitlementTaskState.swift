/// The state of a task that loads what a customer is entitled to.
///
/// On Apple's platforms SwiftUI's tasks hand it to a view. Here it is a plain value, for models that keep one.
public enum EntitlementTaskState<Value> {
    /// The task is loading.
    case loading
    /// The task failed.
    case failure(any Error)
    /// The task has loaded this.
    case success(Value)

    /// The loaded value; nil unless the task succeeded.
    public var value: Value? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The same state with another value.
    public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> EntitlementTaskState<NewValue> {
        try flatMap { .success(try transform($0)) }
    }

    /// The state that a value leads to; what is loading or has failed stays so.
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

/// The same for closures that wait for something.
extension EntitlementTaskState {
    /// The same state with another value.
    public func map<NewValue>(_ transform: (Value) async throws -> NewValue) async rethrows -> EntitlementTaskState<NewValue> {
        try await flatMap { .success(try await transform($0)) }
    }

    /// The state that a value leads to; what is loading or has failed stays so.
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
