/// One step of the story: it sets its stage, plays, checks what it expects, and says what was seen.
public struct TourStep: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// What happens, in a few words.
    public let title: String
    /// Plays it; needs no step before it.
    public let play: @Sendable (Stage) async throws -> Scene
}

extension TourStep: CustomStringConvertible {
    /// Number and title.
    public var description: String { "\(number). \(title)" }
}
