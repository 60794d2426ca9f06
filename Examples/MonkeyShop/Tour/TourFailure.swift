/// The error of a tour step whose actual value differs from the expected value.
package struct TourFailure: Error, Equatable, CustomStringConvertible {
    /// A description of the expected value.
    package let expected: String
    /// A description of the actual value.
    package let found: String

    /// The expected and the actual value, in a sentence.
    package var description: String { "expected \(expected), found \(found)" }
}

/// Throws a ``TourFailure`` unless `found` equals `expected`.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
    guard found == expected else { throw TourFailure(expected: "\(what) to be \(expected)", found: "\(found)") }
}

/// Throws a ``TourFailure`` unless `holds` is true.
func expect(_ what: String, _ holds: Bool, found: @autoclosure () -> String) throws {
    guard holds else { throw TourFailure(expected: what, found: found()) }
}
