/// An expectation of the story that was not met.
package struct TourFailure: Error, Equatable, CustomStringConvertible {
    /// What was expected.
    package let expected: String
    /// What was found.
    package let found: String

    /// Both, in a sentence.
    package var description: String { "expected \(expected), found \(found)" }
}

/// Ends the step unless `found` is what was expected.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
    guard found == expected else { throw TourFailure(expected: "\(what) to be \(expected)", found: "\(found)") }
}

/// Ends the step unless it holds.
func expect(_ what: String, _ holds: Bool, found: @autoclosure () -> String) throws {
    guard holds else { throw TourFailure(expected: what, found: found()) }
}
