/// The file of a product's content that was completely downloaded and verified.
public struct InstalledContent: Codable, Hashable, Sendable {
    /// The path of the file.
    public let path: String
    /// The length of the file in bytes.
    public let length: Int64
    /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
    public let sha256: String
}
