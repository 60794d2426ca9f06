import FoundationExtras
import Synchronization

/// A position in the write-ahead log of PostgreSQL (`pg_lsn`), such as `16/B374D848`.
///
/// A replica that has replayed the log up to the position of a commit contains the commit.
/// Source: <https://www.postgresql.org/docs/current/datatype-pg-lsn.html>.
package struct WritePosition: Hashable, Comparable, Sendable {
    /// The number of bytes before the position.
    package let offset: UInt64

    /// The position after a write with an unknown position, which no replica reaches.
    package static let unknown = WritePosition(offset: .max)

    package static func < (first: WritePosition, second: WritePosition) -> Bool { first.offset < second.offset }
}

extension WritePosition: LosslessStringConvertible {
    /// Creates a position from PostgreSQL's text form; returns nil for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...8).contains($0.utf8.count) && Hexadecimal.isHexadecimal($0) }),
            let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16)
        else { return nil }
        offset = high << 32 | low
    }

    /// The position in PostgreSQL's text form.
    package var description: String {
        "\(String(offset >> 32, radix: 16, uppercase: true))/\(String(offset & 0xFFFF_FFFF, radix: 16, uppercase: true))"
    }
}

/// The write position that a request requires, and the position after the request's own writes.
///
/// The storage chooses between the primary and the replicas by ``required``, and records the positions of the request's writes.
package final class RequestPosition: Sendable {
    /// The position of the request that the task processes; nil for all other tasks, which read the primary.
    @TaskLocal package static var current: RequestPosition?

    /// The position that a replica must have reached to answer the request; nil if only the primary can answer.
    package let required: WritePosition?
    private let written = Mutex<WritePosition?>(nil)

    package init(required: WritePosition?) {
        self.required = required
    }

    /// The position after the writes of the request; nil for a request without writes.
    package var afterWrites: WritePosition? { written.withLock { $0 } }

    /// Records the position in the write-ahead log after the request has written to the database.
    package func record(_ position: WritePosition) {
        written.withLock { $0 = max($0 ?? position, position) }
    }
}
