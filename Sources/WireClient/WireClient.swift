package import AsyncHTTPClient
package import Foundation
import FoundationExtras
import NIOCore
import NIOFoundationCompat
package import NIOHTTP1
package import PurchaseModel
package import Wire

/// A client that calls the endpoints of a server over HTTP.
package struct WireClient: Sendable {
    /// The maximum size in bytes of a response that is read into memory.
    package static let maximumResponseSize = 16 << 20

    /// The URL of the server, to which the paths of endpoints are appended, such as `http://127.0.0.1:8080`.
    package let baseURL: HTTPURL
    private let timeoutSeconds: Int64

    /// Creates a client; no connection is made until the first call.
    ///
    /// - Parameter timeoutSeconds: The deadline in seconds for a complete response. For a response that is read incrementally, such as a
    ///   download, it is the deadline for the head of the response.
    package init(baseURL: HTTPURL, timeoutSeconds: Int64 = 30) {
        self.baseURL = baseURL
        self.timeoutSeconds = timeoutSeconds
    }

    /// Calls an endpoint and returns its response.
    ///
    /// - Parameters:
    ///   - body: The request body, which is sent with POST only.
    ///   - parameters: The values for the placeholders of the endpoint's path.
    ///   - query: The query parameters.
    ///   - headers: Other request headers.
    ///   - token: The bearer token of the `Authorization` header; nil for no header.
    package func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        parameters: [String: String] = [:],
        query: [String: String] = [:],
        headers: [String: String] = [:],
        token: String? = nil
    ) async throws(WireClientError) -> Response {
        var content: WireContent?
        if endpoint.method == .post {
            guard let data = try? WireJSON.encode(body) else { throw .unreachable }
            content = WireContent(type: "application/json", body: .bytes(ByteBuffer(data: data)))
        }
        let (method, path) = (HTTPMethod(rawValue: endpoint.method.rawValue), endpoint.path(parameters))
        return try await exchange(method, path, query: query, content, headers: headers, token: token)
    }

    /// Sends a request and decodes the JSON of the complete response, all within the client's deadline.
    package func exchange<Value: Decodable & Sendable>(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], _ content: WireContent? = nil, headers: [String: String] = [:],
        token: String? = nil
    ) async throws(WireClientError) -> Value {
        do {
            return try await withDeadline(.seconds(timeoutSeconds)) {
                try await read(try await send(method, path, query: query, content, headers: headers, token: token))
            }
        } catch let error as WireClientError {
            throw error
        } catch {
            throw .unreachable
        }
    }

    /// Sends a request, and returns a successful response before its body is read.
    ///
    /// Reading the body has no deadline, but fails after a minute in which no byte arrives.
    ///
    /// - Throws: ``WireClientError/unreachable`` without a response. For a status other than 200 to 299,
    ///   ``WireClientError/refused(status:_:)``, or ``WireClientError/invalidResponse(status:)`` when the body is not a JSON error.
    package func send(
        _ method: HTTPMethod, _ path: String, query: [String: String] = [:], _ content: WireContent? = nil, headers: [String: String] = [:],
        token: String? = nil
    ) async throws(WireClientError) -> HTTPClientResponse {
        var request = HTTPClientRequest(url: baseURL.base + path + PathTemplate.query(query))
        request.method = method
        request.headers.add(name: "Accept", value: "application/json")
        if let token {
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
        }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let content {
            request.headers.add(name: "Content-Type", value: content.type)
            request.body = content.body
        }
        let response = try await execute(request)
        let status = Int(response.status.code)
        guard (200..<300).contains(status) else {
            guard
                let error = try? WireJSON.decode(
                    WireError.self, from: try await withDeadline(.seconds(timeoutSeconds)) { try await Self.data(of: response) })
            else {
                throw .invalidResponse(status: status)
            }
            throw .refused(status: status, error)
        }
        return response
    }

    /// Sends a request with only the given headers, and returns the complete response with any status, within the client's deadline.
    package func exchange(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
    ) async throws -> (status: Int, body: Data) {
        try await withDeadline(.seconds(timeoutSeconds)) {
            let response = try await request(method, path, headers, body)
            return (Int(response.status.code), try await Self.data(of: response))
        }
    }

    /// Sends a request with only the given headers, and returns a response with any status before its body is read.
    ///
    /// Reading the body has no deadline, but fails after a minute in which no byte arrives.
    package func open(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
    ) async throws(WireClientError) -> (status: Int, headers: [String: String], bytes: WireBytes) {
        let response = try await request(method, path, headers, body)
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
        return (Int(response.status.code), fields, WireBytes(response))
    }

    /// Sends a request with only the given headers to any address, and returns a response with any status before its body is read.
    ///
    /// The response has no deadline, but fails after a minute in which no byte arrives.
    ///
    /// - Parameters:
    ///   - method: The HTTP method, such as `GET`.
    ///   - url: The complete address.
    ///   - headers: The request headers.
    ///   - body: The request body; nil for none.
    /// - Returns: The status, all lines of the headers, and the bytes of the body.
    package static func open(
        _ method: String, url: String, _ headers: [String: String], _ body: Data?
    ) async throws(WireClientError) -> (status: Int, headers: [(name: String, value: String)], bytes: WireBytes) {
        do {
            let response = try await HTTPClient.wire.execute(request(method, url, headers, body), deadline: .distantFuture)
            return (Int(response.status.code), response.headers.map { (name: $0.name, value: $0.value) }, WireBytes(response))
        } catch { throw .unreachable }
    }

    private func request(
        _ method: String, _ path: String, _ headers: [String: String], _ body: Data?
    ) async throws(WireClientError) -> HTTPClientResponse {
        try await execute(Self.request(method, baseURL.base + path, headers, body))
    }

    private static func request(_ method: String, _ url: String, _ headers: [String: String], _ body: Data?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(data: body)) }
        return request
    }

    private func execute(_ request: HTTPClientRequest) async throws(WireClientError) -> HTTPClientResponse {
        do {
            return try await HTTPClient.wire.execute(request, timeout: .seconds(timeoutSeconds))
        } catch {
            // All transport errors have the same meaning for the caller: no response arrived.
            throw .unreachable
        }
    }

    /// Reads the complete body of a response and decodes its JSON.
    private func read<Value: Decodable>(_ response: HTTPClientResponse) async throws(WireClientError) -> Value {
        let data: Data
        do { data = try await Self.data(of: response) } catch { throw .unreachable }
        do {
            return try WireJSON.decode(Value.self, from: data)
        } catch {
            throw .invalidResponse(status: Int(response.status.code))
        }
    }

    private static func data(of response: HTTPClientResponse) async throws -> Data {
        Data(buffer: try await response.body.collect(upTo: maximumResponseSize))
    }
}

extension HTTPClient {
    /// The HTTP client that all calls of a process share, for endpoints and for downloads.
    ///
    /// A call fails at the first refused connection, although the connection pool could retry until the deadline. The caller decides
    /// whether to retry, because only the caller knows the effect of a repeated call.
    package static let wire: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(10)
        // Downloads and event streams have no deadline after the head of the response, because a download may take hours. They fail after a
        // minute in which no byte arrives.
        configuration.timeout.read = .seconds(60)
        configuration.redirectConfiguration = .disallow
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
