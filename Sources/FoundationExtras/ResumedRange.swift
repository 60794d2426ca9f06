/// The part of a download that an HTTP response contains (RFC 9110, section 14).
package struct ResumedRange: Hashable, Sendable {
    /// The offset in the whole content of the first byte in the response; nil when a partial response does not state the offset.
    package let offset: Int64?
    /// The length of the whole content in bytes; nil when the response does not state the length.
    package let length: Int64?

    /// Creates the range from the status and the header fields of a response.
    ///
    /// - Parameter field: Returns the value of a header field, or nil when the field is absent.
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

    /// Returns whether the response continues a download of which `received` bytes are present, or restarts the download.
    ///
    /// A response that starts at any other offset does not fit the bytes that are present.
    package func continues(after received: Int64) -> Bool {
        offset == 0 || offset == received
    }

    /// Returns the header fields of a request that resumes a download of which `received` bytes are present.
    ///
    /// - Parameter entityTag: The entity tag of the content. Without an entity tag, no header fields are returned, and the download
    ///   restarts.
    package static func fields(after received: Int64, of entityTag: String?) -> [String: String] {
        guard received > 0, let entityTag else { return [:] }
        return ["Range": "bytes=\(received)-", "If-Range": entityTag]
    }
}
