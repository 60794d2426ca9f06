/// Which bytes of a file a `Range` header asks for (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// All of it: no header, one that is not understood, or several ranges at once, which a server may ignore.
    case whole
    /// These bytes, at least one.
    case part(Range<Int64>)
    /// Bytes that the file does not have.
    case unsatisfiable

    /// Reads a header's value for a file of `length` bytes.
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

    /// The two sides of the dash of a single range in bytes; nil for anything else.
    private static func spec(of header: String) -> (first: Substring, last: Substring)? {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        return ends.count == 2 ? (ends[0], ends[1]) : nil
    }

    /// Decimal digits; what does not fit into 64 bits is as far away as can be.
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }
}
