/// An event of a content download.
public enum DownloadEvent: Hashable, Sendable {
    /// The server verified the receipt and described the content; `verification` lists each verifying host with its status.
    case announced(file: String, length: Int64, verification: [String])
    /// The response has begun, at this offset.
    case started(offset: Int64)
    /// The connection was lost; this number of bytes is kept.
    case broken(received: Int64)
    /// The content is complete, and its SHA-256 is correct.
    case installed(InstalledContent)
}
