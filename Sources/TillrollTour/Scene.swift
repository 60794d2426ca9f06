/// What a step has to show.
package struct Scene: Codable, Hashable, Sendable {
    /// What the app's user sees.
    package let app: String
    /// What proves it: ids, status, bytes, hashes.
    package let evidence: String
}
