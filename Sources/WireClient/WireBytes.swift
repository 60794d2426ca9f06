package import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOFoundationCompat

/// The bytes of an answer, read as they are taken.
package struct WireBytes: AsyncSequence, Sendable {
    private let body: HTTPClientResponse.Body

    /// Reads an answer piece by piece.
    package init(_ response: HTTPClientResponse) {
        body = response.body
    }

    /// Begins to read.
    package func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator())
    }

    /// Reads the bytes.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPClientResponse.Body.AsyncIterator

        /// The next bytes; nil at the end.
        package mutating func next() async throws -> Data? {
            try await body.next(isolation: #isolation).map { Data(buffer: $0) }
        }
    }
}
