/// A step of the tour, which performs an action, checks the effects, and returns the text to print.
public struct TourStep: Sendable {
    /// The step's number, from 1.
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
