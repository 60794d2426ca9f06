import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import WireClient

/// Sends requests over HTTP with the connection pool of this process.
struct HTTPS3Transport: S3Transport {
    func send(_ request: S3TransportRequest) async throws(S3TransportError) -> S3TransportResponse {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { message.headers.add(name: name, value: value) }
        switch request.body {
        case nil: break
        case .bytes(let bytes): message.body = .bytes(bytes)
        case .file(let file, let range):
            message.body = .stream(file.chunks(range), length: .known(range.upperBound - range.lowerBound))
        }
        do {
            let response = try await HTTPClient.wire.execute(
                message, deadline: .now() + TimeAmount(min(request.timeout, .seconds(172_800))))
            let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
            let body = Body(response.body)
            return S3TransportResponse(status: Int(response.status.code), headers: headers) { () async throws(S3TransportError) in
                do { return try await body.next() } catch { throw Self.translate(error) }
            }
        } catch {
            throw Self.translate(error)
        }
    }

    /// The body of a response. The HTTP client reads further bytes only when they are requested.
    private actor Body {
        private var iterator: HTTPClientResponse.Body.AsyncIterator

        init(_ body: HTTPClientResponse.Body) {
            iterator = body.makeAsyncIterator()
        }

        func next() async throws -> ByteBuffer? {
            var current = iterator
            defer { iterator = current }
            return try await current.next(isolation: self)
        }
    }

    private static func translate(_ error: any Error) -> S3TransportError {
        if Task.isCancelled || error is CancellationError { return .canceled }
        switch error {
        case let error as ContentStorageError: return .body(error)
        case is NIOConnectionError: return .notConnected
        case let error as HTTPClientError where error == .connectTimeout: return .notConnected
        case let error as IOError where error.errnoCode == ECONNREFUSED: return .notConnected
        default: return .noResponse
        }
    }
}
