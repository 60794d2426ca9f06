package import Foundation

/// Decodes the `data` lines of server-sent events from bytes as they arrive (HTML, section 9.2.6).
///
/// An incomplete line that exceeds ``limit`` is an error, so that an endless line cannot exhaust the memory.
package struct EventStreamDecoder: Sendable {
    /// The maximum size of an incomplete line in bytes.
    package static let limit = 16 << 20

    private var buffer = Data()

    /// Creates a decoder at the beginning of a stream.
    package init() {}

    /// Returns the data of the `data` lines that end in the given bytes, or nil when an incomplete line exceeds ``limit``.
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
