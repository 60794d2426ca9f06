/// What a step has to show.
public struct Scene: Codable, Hashable, Sendable {
    /// What the app's user sees.
    public let app: String
    /// What proves it: ids, status, bytes, hashes.
    public let evidence: String
}
