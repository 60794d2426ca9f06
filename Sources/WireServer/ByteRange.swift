/// The bytes of a file that a `Range` header requests (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// The whole file, because the header is absent or invalid.
    case whole
    /// The requested bytes of the file, at least one.
    case part(Range<Int64>)
    /// A range that contains no byte of the file.
    case unsatisfiable
    /// Several ranges, which would require a body of several parts (`multipart/byteranges`).
    ///
    /// The server refuses several ranges, because a bucket needs a request for each range. The whole file, which RFC 9110 also permits,
    /// would be a large response to a client that wants a few bytes.
    case several

    /// Parses the value of a `Range` header for a file of `length` bytes; nil stands for an absent header.
    package init(header: String?, length: Int64) {
        guard let header, let set = Self.set(of: header) else {
            self = .whole
            return
        }
        guard !set.contains(",") else {
            self = .several
            return
        }
        guard let spec = Self.spec(of: set) else {
            self = .whole
            return
        }
        switch (Self.number(spec.first), Self.number(spec.last)) {
        case (nil, let count?) where spec.first.isEmpty:
            self = Self.satisfiable(max(0, length - count)..<length)
        case (let start?, nil) where spec.last.isEmpty:
            self = Self.satisfiable(start..<max(start, length))
        case (let start?, let last?) where start <= last:
            self = Self.satisfiable(start..<max(start, last < length ? last + 1 : length))
        default:
            self = .whole
        }
    }

    private static func satisfiable(_ range: Range<Int64>) -> ByteRange {
        range.isEmpty ? .unsatisfiable : .part(range)
    }

    /// Returns the text after the unit `bytes`, or nil for another unit, which a server must ignore.
    private static func set(of header: String) -> Substring? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].lowercased() == "bytes" ? parts[1] : nil
    }

    /// Returns the texts before and after the dash of a single byte range, or nil for any other text.
    private static func spec(of set: Substring) -> (first: Substring, last: Substring)? {
        let ends = set.split(separator: "-", omittingEmptySubsequences: false)
        return ends.count == 2 ? (ends[0], ends[1]) : nil
    }

    /// Returns the value of decimal digits, or nil for other text; a value that exceeds 64 bits becomes `Int64.max`.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}
