/// The result of a step of the tour, which the command prints.
public struct StepResult: Codable, Hashable, Sendable {
    /// The text that the app's user sees.
    public let app: String
    /// The evidence for the step's success, such as transaction IDs, statuses, numbers of bytes and hashes.
    public let evidence: String
}
