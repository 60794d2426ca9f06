/// Waits until a condition is true; for states that no event announces.
///
/// - Throws: ``ConditionNotMet`` if the condition is still false after the limit, and errors of the condition.
public func eventually(
    within limit: Duration = .seconds(60),
    fileID: StaticString = #fileID,
    line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !condition() {
        try Task.checkCancellation()
        guard ContinuousClock.now < end else { throw ConditionNotMet(place: "\(fileID):\(line)", limit: limit) }
        await Task.yield()
    }
}

/// The error for a condition that did not become true in time.
public struct ConditionNotMet: Error, CustomStringConvertible {
    let place: String
    let limit: Duration

    public var description: String { "The condition at \(place) was still false after \(limit)." }
}
