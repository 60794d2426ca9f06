/// How a verification went, step by step: what was looked at, what was seen, and by which rule it was judged.
///
/// Library, server and command tell the same story, because all of them print this value.
public struct Explanation: Codable, Hashable, Sendable {
    /// The steps in the order in which they were taken; the one that failed is the last.
    public internal(set) var steps: [Step] = []

    /// One step.
    public struct Step: Codable, Hashable, Sendable {
        /// What was looked at, such as `certificates`.
        public let name: String
        /// What was seen there.
        public let saw: String
        /// The rule it was judged by.
        public let rule: String
        /// How it ended.
        public let outcome: Outcome
    }

    /// How a step ended.
    public enum Outcome: String, Codable, Hashable, Sendable {
        /// As the rule wants it.
        case passed
        /// Against the rule: the data is refused.
        case failed
        /// Could not be found out.
        case unknown
        /// The rule was not asked for.
        case skipped
    }
}
