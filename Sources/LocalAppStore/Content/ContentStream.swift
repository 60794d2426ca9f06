import Foundation
import NIOCore

/// Part of a product's content, read as the connection takes it.
struct ContentStream: AsyncSequence, Sendable {
    let ledger: StoreLedger
    let content: ContentRecord
    let range: Range<Int64>

    /// The content was replaced while it was sent; the connection ends early, and the reader sees that bytes are missing.
    struct Replaced: Error {}

    func makeAsyncIterator() -> Iterator {
        Iterator(stream: self, position: range.lowerBound)
    }

    struct Iterator: AsyncIteratorProtocol {
        private static let chunkSize: Int64 = 256 << 10

        let stream: ContentStream
        var position: Int64

        mutating func next() async throws -> ByteBuffer? {
            guard position < stream.range.upperBound else { return nil }
            let chunk = position..<Swift.min(position + Self.chunkSize, stream.range.upperBound)
            guard let bytes = try await stream.ledger.bytes(of: stream.content, chunk), !bytes.isEmpty else { throw Replaced() }
            position = chunk.upperBound
            return ByteBuffer(bytes: bytes)
        }
    }
}
