/// An unmet expectation of the tour.
package struct TourFailure: Error, Equatable, CustomStringConvertible {
    /// The expected value.
    package let expected: String
    /// The actual value.
    package let found: String

    /// The expected and the actual value, in a sentence.
    package var description: String { "expected \(expected), found \(found)" }
}

/// Throws a ``TourFailure`` unless `found` equals `expected`.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
    guard found == expected else { throw TourFailure(expected: "\(what) to be \(expected)", found: "\(found)") }
}

/// Throws a ``TourFailure`` unless the condition holds.
func expect(_ what: String, _ holds: Bool, found: @autoclosure () -> String) throws {
    guard holds else { throw TourFailure(expected: what, found: found()) }
}
