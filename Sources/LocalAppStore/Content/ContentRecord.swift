import Foundation
import GRDB
import NIOCore
import PurchaseModel

/// The description of a product's hosted content, as a row of the database without the content's bytes.
struct ContentRecord: Codable, Sendable, FetchableRecord {
    var bundleID: BundleID
    var productID: ProductID
    /// The SHA-256 of the content, in lowercase hexadecimal digits.
    var sha256: String
    /// The size of the content, in bytes.
    var length: Int64
    /// The content's version: integers separated by periods, such as `1.0`.
    var version: String

    /// The description of the content as the device API returns it.
    var description: HostedContent { HostedContent(version: version, length: length, sha256: sha256) }

    /// The strong entity tag (`ETag`) of the content, which identifies its bytes.
    var entityTag: String { "\"\(sha256)\"" }
}

/// A byte range of a product's hosted content as a response body, which is read from the database as fast as the client receives it.
struct ContentStream: AsyncSequence, Sendable {
    let contents: ContentService
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
            guard let bytes = try await stream.contents.bytes(of: stream.content, chunk), !bytes.isEmpty else { throw Replaced() }
            position = chunk.upperBound
            return ByteBuffer(bytes: bytes)
        }
    }
}
