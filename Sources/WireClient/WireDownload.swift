import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The beginning of a download, whose bytes follow.
package struct WireDownload: Sendable {
    /// The first byte that follows; 0 when the other side begins anew.
    package let offset: Int64
    /// How many bytes the whole has; nil when the other side does not say.
    package let length: Int64?
    /// The name of exactly these bytes.
    package let entityTag: String?
    /// The bytes as they come.
    package let bytes: WireBytes
}

extension WireClient {
    /// Begins to fetch a file, or what is missing of it.
    ///
    /// - Parameters:
    ///   - offset: The first byte that is wanted.
    ///   - entityTag: The name of the bytes that are there; without one, all are fetched.
    package func download(
        _ path: String, from offset: Int64, of entityTag: String?, token: String?
    ) async throws(WireClientError) -> WireDownload {
        var headers: [String: String] = [:]
        if offset > 0, let entityTag { headers = ["Range": "bytes=\(offset)-", "If-Range": entityTag] }
        let response = try await send(.GET, path, headers: headers, token: token)
        let (first, length) = Self.range(of: response)
        // A part that starts elsewhere would leave a hole.
        guard let first, first == 0 || first == offset else { throw .unintelligible(status: Int(response.status.code)) }
        return WireDownload(
            offset: first, length: length, entityTag: response.headers.first(name: "ETag"), bytes: WireBytes(body: response.body))
    }

    /// The first byte of an answer, nil when it can't be told, and the length of the whole.
    private static func range(of response: HTTPClientResponse) -> (first: Int64?, length: Int64?) {
        guard response.status == .partialContent else {
            return (0, response.headers.first(name: "Content-Length").flatMap { Int64($0) })
        }
        // bytes 5-9/10
        let parts = response.headers.first(name: "Content-Range")?.dropFirst("bytes ".count).split(separator: "/") ?? []
        guard parts.count == 2 else { return (nil, nil) }
        return (parts[0].split(separator: "-").first.flatMap { Int64($0) }, Int64(parts[1]))
    }
}

/// The bytes of an answer, read as they are taken.
package struct WireBytes: AsyncSequence, Sendable {
    fileprivate let body: HTTPClientResponse.Body

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
