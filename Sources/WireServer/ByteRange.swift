/// The bytes of a file that a `Range` header requests (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// The whole file: there is no header, the header is not understood, or it requests several ranges, which a server may ignore.
    case whole
    /// A range of at least one byte.
    case part(Range<Int64>)
    /// A range outside the file.
    case unsatisfiable

    /// Parses a header's value for a file of `length` bytes.
    package init(header: String?, length: Int64) {
        guard let header, let spec = Self.spec(of: header) else {
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

    /// The text on either side of the dash of a single byte range; nil for any other header.
    private static func spec(of header: String) -> (first: Substring, last: Substring)? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        return ends.count == 2 ? (ends[0], ends[1]) : nil
    }

    /// The value of decimal digits; a value that exceeds 64 bits becomes the largest one.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}
