/// One step of the story: it sets its stage, plays, checks what it expects, and says what was seen.
package struct TourStep: Sendable {
    /// Its number, from 1.
    package let number: Int
    /// What happens, in a few words.
    package let title: String
    /// Plays it; needs no step before it.
    package let play: @Sendable (Stage) async throws -> Scene
}

extension TourStep: CustomStringConvertible {
    /// Number and title.
    package var description: String { "\(number). \(title)" }
}
