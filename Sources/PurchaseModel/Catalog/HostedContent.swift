/// Content that the store hosts for a product and hands out to who bought it (`SKDownload`).
public struct HostedContent: Codable, Hashable, Sendable {
    /// Dotted integers, such as `1.0`.
    public var version: String
    /// How many bytes.
    public var length: Int64
    /// The SHA-256 of the bytes, in lower-case hexadecimal; nil when the store does not say, as before there was one.
    public var sha256: String?

    /// Creates a description.
    public init(version: String, length: Int64, sha256: String? = nil) {
        self.version = version
        self.length = length
        self.sha256 = sha256
    }
}
