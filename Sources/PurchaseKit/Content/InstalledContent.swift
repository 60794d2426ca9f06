/// Content that was fetched whole and lies in its place.
public struct InstalledContent: Codable, Hashable, Sendable {
    /// Where it lies.
    public let path: String
    /// Its length in bytes.
    public let length: Int64
    /// Its SHA-256 in lower-case hexadecimal, as the server stated it and this device computed it.
    public let sha256: String
}
