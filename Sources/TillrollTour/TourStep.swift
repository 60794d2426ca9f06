/// One step of the tour: it prepares its stage, runs, checks its expectations, and returns its observations.
package struct TourStep: Sendable {
    /// The step's number, from 1.
    package let number: Int
    /// The step's title, in a few words.
    package let title: String
    /// Runs the step; it requires no earlier step.
    package let play: @Sendable (Stage) async throws -> Scene
}

extension TourStep: CustomStringConvertible {
    /// Number and title.
    package var description: String { "\(number). \(title)" }
}
