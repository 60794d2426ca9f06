/// An event of a content download.
public enum DownloadEvent: Hashable, Sendable {
    /// The server issued a download token, and stated the content's file name and length in bytes.
    case announced(file: String, length: Int64)
    /// A response with content has begun, at this offset in bytes; of content in chunks, so many bytes are present and verified.
    case started(offset: Int64)
    /// Another mebibyte arrived, or the response ended; the given number of bytes is received.
    case received(Int64)
    /// A connection was lost; the given number of bytes is received and kept.
    case broken(received: Int64)
    /// The content is complete, verified and moved to its final path.
    case installed(InstalledContent)
}
