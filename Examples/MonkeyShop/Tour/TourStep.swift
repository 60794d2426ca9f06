/// A step of the tour, which performs an action, checks the effects, and returns the text to print.
public struct TourStep: Sendable {
    /// The step's number, counted from 1.
    public let number: Int
    /// The step's title, in a few words.
    public let title: String
    /// Runs the step, which does not depend on earlier steps.
    ///
    /// The function throws ``TourFailure`` if a check fails.
    public let play: @Sendable (TourEnvironment) async throws -> StepResult
}

extension TourStep: CustomStringConvertible {
    /// The step's number and title.
    public var description: String { "\(number). \(title)" }
}

/// The result of a step of the tour, which the command prints.
public struct StepResult: Codable, Hashable, Sendable {
    /// The text that the app's user sees.
    public let app: String
    /// The evidence for the step's success, such as transaction IDs, statuses, numbers of bytes and hashes.
    public let evidence: String
}

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
