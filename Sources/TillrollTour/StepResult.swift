/// The result of a step, for display.
package struct StepResult: Codable, Hashable, Sendable {
    /// The text that the app's user sees.
    package let app: String
    /// The evidence: ids, status, bytes, hashes.
    package let evidence: String
}
