/// An event of a content download.
public enum DownloadEvent: Hashable, Sendable {
    /// The server issued a download token, and stated the content's file name and length in bytes.
    case announced(file: String, length: Int64)
    /// A response with content has begun; the value is its offset in bytes or, for content in chunks, the number of bytes on the device.
    case started(offset: Int64)
    /// More bytes were received; the value is the number of all received bytes.
    case received(Int64)
    /// A connection was lost; the value is the number of received bytes, which are kept.
    case broken(received: Int64)
    /// The content is complete, verified and moved to its final path.
    case installed(InstalledContent)
}
