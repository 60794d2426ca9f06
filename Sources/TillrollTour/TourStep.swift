/// One step of the tour, which checks its expectations and returns its observations.
package struct TourStep: Sendable {
    /// The step's number, from 1.
    package let number: Int
    /// The step's title, in a few words.
    package let title: String
    /// Runs the step; it requires no earlier step.
    package let play: @Sendable (TourEnvironment) async throws -> StepResult
}

extension TourStep: CustomStringConvertible {
    /// Number and title.
    package var description: String { "\(number). \(title)" }
}
