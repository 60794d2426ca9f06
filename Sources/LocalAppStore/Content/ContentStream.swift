import Foundation
import NIOCore

/// A byte range of a product's hosted content as a response body, which is read from the database as fast as the client receives it.
struct ContentStream: AsyncSequence, Sendable {
    let context: StoreContext
    let content: ContentRecord
    let range: Range<Int64>

    /// The error if the content is replaced or removed while the response is being sent.
    ///
    /// The connection then ends early, so that the client notices missing bytes.
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
            guard let bytes = try await stream.context.contents.bytes(of: stream.content, chunk), !bytes.isEmpty else { throw Replaced() }
            position = chunk.upperBound
            return ByteBuffer(bytes: bytes)
        }
    }
}
