/// What happens while content is fetched.
public enum DownloadEvent: Hashable, Sendable {
    /// The server verified the receipt and described the content. `verification` lists each host that the server asked, with its status.
    case announced(file: String, length: Int64, verification: [String])
    /// Bytes begin to come, from this offset on.
    case started(offset: Int64)
    /// The connection broke; this many bytes are kept.
    case broken(received: Int64)
    /// All bytes are there and their hash is right.
    case installed(InstalledContent)
}
