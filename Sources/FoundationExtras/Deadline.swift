/// The error that ``withDeadline(_:_:)`` throws when an operation exceeds its deadline.
package struct DeadlineExceeded: Error, Hashable {
    /// Creates the error.
    package init() {}
}

/// Runs an operation, and cancels it and throws ``DeadlineExceeded`` when it takes longer than the limit.
///
/// The limit applies to a whole network exchange, and thus also ends an exchange in which the peer sends one byte at a time. The deadline
/// of async-http-client ends with the head of a response.
package func withDeadline<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await operation() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw DeadlineExceeded()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw DeadlineExceeded() }
        return value
    }
}
