package import Foundation

/// The `data` lines of server-sent events, decoded from bytes as they arrive (HTML, section 9.2.6).
///
/// A line that exceeds ``limit`` is an error, so the memory for an incomplete line is limited.
package struct EventStreamDecoder: Sendable {
    /// The maximum size of a line in bytes.
    package static let limit = 16 << 20

    private var buffer = Data()

    /// Creates a decoder at the beginning of a stream.
    package init() {}

    /// The data of the lines that end in these bytes; nil if a line is too long.
    package mutating func decode(_ part: Data) -> [Data]? {
        var found: [Data] = []
        var pieces = part.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let last = pieces.popLast() ?? Data()
        for piece in pieces {
            buffer += piece
            if buffer.starts(with: Data("data: ".utf8)) { found.append(Data(buffer.dropFirst(6))) }
            buffer = Data()
        }
        buffer += last
        return buffer.count > Self.limit ? nil : found
    }
}
