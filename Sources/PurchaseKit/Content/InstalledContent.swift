/// Completely downloaded and verified content.
public struct InstalledContent: Codable, Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The length in bytes.
    public let length: Int64
    /// The verified SHA-256 in lower-case hexadecimal.
    public let sha256: String
}
