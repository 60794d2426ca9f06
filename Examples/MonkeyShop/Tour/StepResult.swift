/// The result of a step of the tour, which the command prints.
package struct StepResult: Codable, Hashable, Sendable {
    /// The text that the app's user sees.
    package let app: String
    /// The evidence for the step's success, such as transaction IDs, statuses, numbers of bytes and hashes.
    package let evidence: String
}
