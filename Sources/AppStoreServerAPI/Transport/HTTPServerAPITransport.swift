import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import WireClient

/// Sends requests over HTTP with the connection pool of this process.
public struct HTTPServerAPITransport: ServerAPITransport {
    /// The maximum size of a response's body in bytes: 8 MiB.
    ///
    /// A page of twenty signed transactions has about 100 KB.
    public static let maximumResponseSize = 8 << 20

    /// Creates a transport; no connection is made until the first request.
    public init() {}

    /// Sends a request once, and returns the complete response with any status.
    public func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse {
        var message = HTTPClientRequest(url: request.url)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) { message.headers.add(name: name, value: value) }
        if let body = request.body { message.body = .bytes(ByteBuffer(data: body)) }
        let timeout = min(request.timeout, .seconds(3600))
        do {
            // The deadline of the HTTP client ends with the head of the response; the outer one includes the body.
            return try await withDeadline(timeout) { [message] in
                try await Self.exchange(message, deadline: .now() + TimeAmount(timeout))
            }
        } catch let error as ServerAPITransportError {
            throw error
        } catch is CancellationError {
            throw .canceled
        } catch {
            throw Task.isCancelled ? .canceled : Self.isConnectionFailure(error) ? .notConnected : .noResponse
        }
    }

    private static func exchange(_ message: HTTPClientRequest, deadline: NIODeadline) async throws -> ServerAPITransportResponse {
        let response = try await HTTPClient.wire.execute(message, deadline: deadline)
        let status = Int(response.status.code)
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: maximumResponseSize)
        } catch is NIOTooManyBytesError {
            throw ServerAPITransportError.responseTooLarge(status: status)
        }
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        return ServerAPITransportResponse(status: status, headers: headers, body: Data(buffer: body))
    }

    /// Returns whether an error shows that no connection was made.
    private static func isConnectionFailure(_ error: any Error) -> Bool {
        switch error {
        case is NIOConnectionError: true
        case let error as HTTPClientError: error == .connectTimeout
        case let error as IOError: error.errnoCode == ECONNREFUSED
        default: false
        }
    }
}
