/// What was to be done in time was not.
package struct DeadlineExceeded: Error, Hashable {
    /// Creates the error.
    package init() {}
}

/// Does something in time, or stops it and throws ``DeadlineExceeded``.
///
/// For whole exchanges over a network: what a peer sends a byte at a time ends with the deadline as well.
package func withDeadline<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw DeadlineExceeded()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw DeadlineExceeded() }
        return value
    }
}
