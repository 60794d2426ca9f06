/// Content that the store hosts for a product and delivers to customers who purchased it (`SKDownload`).
public struct HostedContent: Codable, Hashable, Sendable {
    /// The version of the content as dotted integers, such as `1.0`.
    public var version: String
    /// The size of the content in bytes.
    public var length: Int64
    /// The SHA-256 of the content, in lower-case hexadecimal; nil when the store does not provide the hash.
    public var sha256: String?

    /// Creates a description of hosted content.
    public init(version: String, length: Int64, sha256: String? = nil) {
        self.version = version
        self.length = length
        self.sha256 = sha256
    }
}
