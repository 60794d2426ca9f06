package import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOFoundationCompat

/// The bytes of a response, read on demand.
package struct WireBytes: AsyncSequence, Sendable {
    private let body: HTTPClientResponse.Body

    /// Creates a sequence of the bytes of a response's body.
    package init(_ response: HTTPClientResponse) {
        body = response.body
    }

    /// Starts to read.
    package func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator())
    }

    /// An iterator over the bytes of a response.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPClientResponse.Body.AsyncIterator

        /// The next bytes; nil at the end.
        package mutating func next() async throws -> Data? {
            try await body.next(isolation: #isolation).map { Data(buffer: $0) }
        }
    }
}
