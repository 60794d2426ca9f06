public import PurchaseModel

/// What happens while content is fetched.
public enum DownloadEvent: Hashable, Sendable {
    /// The server verified the receipt and announced the content.
    case announced(ContentTicket)
    /// Bytes begin to come, from this offset on.
    case started(offset: Int64)
    /// The connection broke; this many bytes are kept.
    case broken(received: Int64)
    /// All bytes are there and their hash is right.
    case installed(InstalledContent)
}
