package import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOFoundationCompat

/// The bytes of an HTTP response's body, as an asynchronous sequence that reads them on demand.
package struct WireBytes: AsyncSequence, Sendable {
    private let body: HTTPClientResponse.Body

    /// Creates a sequence of the bytes of a response's body.
    package init(_ response: HTTPClientResponse) {
        body = response.body
    }

    /// Returns an iterator that reads the bytes of the body.
    package func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator())
    }

    /// An iterator over the bytes of an HTTP response's body.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPClientResponse.Body.AsyncIterator

        /// Returns the next bytes of the body, or nil at its end.
        package mutating func next() async throws -> Data? {
            try await body.next(isolation: #isolation).map { Data(buffer: $0) }
        }
    }
}

/// The body of a request and its media type.
package struct WireContent: Sendable {
    /// The media type, such as `application/json`.
    package var type: String
    /// The bytes of the body.
    package var body: HTTPClientRequest.Body

    /// Creates the body of a request.
    package init(type: String, body: HTTPClientRequest.Body) {
        self.type = type
        self.body = body
    }
}
