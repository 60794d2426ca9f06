/// Waits until a condition is true; for states that no event announces.
///
/// A condition that becomes true at once is noticed at once. After ``patience``, the checks pause for a millisecond, which leaves the processor
/// to the work that makes the condition true. The pause decides only how often the condition is checked, not how long a test waits.
///
/// - Throws: ``ConditionNotMet`` if the condition is still false after the limit, and errors of the condition.
public func eventually(
    within limit: Duration = .seconds(300),
    fileID: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    while try await !condition() {
        try Task.checkCancellation()
        let waited = clock.now - start
        guard waited < limit else { throw ConditionNotMet(place: "\(fileID):\(line)", limit: limit) }
        // A condition can depend on other processes, to which a task that only yields would leave no processor.
        if waited < patience { await Task.yield() } else { try await clock.sleep(for: .milliseconds(1)) }
    }
}

/// The time in which ``eventually(within:fileID:line:isolation:_:)`` checks its condition without a pause.
private let patience: Duration = .milliseconds(50)

/// The error for a condition that did not become true in time.
public struct ConditionNotMet: Error, CustomStringConvertible {
    let place: String
    let limit: Duration

    public var description: String { "The condition at \(place) was still false after \(limit)." }
}
