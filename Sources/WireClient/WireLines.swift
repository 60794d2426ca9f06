package import AsyncHTTPClient
import NIOCore

/// The lines of an answer as they come, without their ends; one that never ends takes no more memory than ``limit``.
package struct WireLines: AsyncSequence, Sendable {
    /// The most bytes of one line.
    package static let limit = 16 << 20

    private let body: HTTPClientResponse.Body

    /// Reads an answer line by line.
    package init(_ response: HTTPClientResponse) {
        body = response.body
    }

    /// Begins to read.
    package func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator())
    }

    /// Reads the lines.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: HTTPClientResponse.Body.AsyncIterator
        private var rest = ByteBuffer()

        fileprivate init(body: HTTPClientResponse.Body.AsyncIterator) {
            self.body = body
        }

        /// The next line; nil at the end.
        ///
        /// What follows the last end of a line is no line.
        package mutating func next() async throws -> String? {
            var searched = 0
            while true {
                let bytes = rest.readableBytesView
                if let end = bytes.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                    let line = rest.readString(length: end - bytes.startIndex)
                    rest.moveReaderIndex(forwardBy: 1)
                    rest.discardReadBytes()
                    return line
                }
                searched = rest.readableBytes
                guard searched <= WireLines.limit, var part = try await body.next(isolation: #isolation) else { return nil }
                rest.writeBuffer(&part)
            }
        }
    }
}
