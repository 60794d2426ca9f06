/// The error of a tour step whose actual value differs from the expected value.
public struct TourFailure: Error, Equatable, CustomStringConvertible {
    /// A description of the expected value.
    public let expected: String
    /// A description of the actual value.
    public let found: String

    /// The expected and the actual value, in one line.
    public var description: String { "expected \(expected), found \(found)" }
}

/// Throws a ``TourFailure`` unless `found` equals `expected`.
func expect<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
    guard found == expected else { throw TourFailure(expected: "\(what) to be \(expected)", found: "\(found)") }
}

/// Throws a ``TourFailure`` unless `holds` is true.
func expect(_ what: String, _ holds: Bool, found: @autoclosure () -> String) throws {
    guard holds else { throw TourFailure(expected: what, found: found()) }
}
