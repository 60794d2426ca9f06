/// Content that the store hosts for a product and hands out to who bought it (`SKDownload`).
public struct HostedContent: Codable, Hashable, Sendable {
    /// Dotted integers, such as `1.0`.
    public var version: String
    /// How many bytes.
    public var length: Int64

    /// Creates a description.
    public init(version: String, length: Int64) {
        self.version = version
        self.length = length
    }
}
