/// The part of some content that a response carries, and the request for the missing part (RFC 9110, section 14).
package struct ResumedRange: Hashable, Sendable {
    /// The offset of the body's first byte; nil if a partial response does not state the offset.
    package let offset: Int64?
    /// The length of the whole content; nil if the response does not state the length.
    package let length: Int64?

    /// Reads the range of a response.
    ///
    /// - Parameter field: Returns the value of a header field.
    package init(status: Int, field: (String) -> String?) {
        guard status == 206 else {
            (offset, length) = (0, field("Content-Length").flatMap { Int64($0) })
            return
        }
        // Example: bytes 5-9/10
        let parts = field("Content-Range")?.dropFirst("bytes ".count).split(separator: "/") ?? []
        offset = parts.count == 2 ? parts[0].split(separator: "-").first.flatMap { Int64($0) } : nil
        length = parts.count == 2 ? Int64(parts[1]) : nil
    }

    /// Whether a response continues a download after the first `received` bytes, or restarts the download.
    ///
    /// A response that starts at any other offset would leave a gap.
    package func continues(after received: Int64) -> Bool {
        offset == 0 || offset == received
    }

    /// The header fields of a request for the bytes after the first `received` bytes of the content with this entity tag; none without a
    /// tag.
    package static func fields(after received: Int64, of entityTag: String?) -> [String: String] {
        guard received > 0, let entityTag else { return [:] }
        return ["Range": "bytes=\(received)-", "If-Range": entityTag]
    }
}
