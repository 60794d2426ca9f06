public import Foundation

/// Sends the HTTP requests of a client.
///
/// The default is ``HTTPServerAPITransport``. Implement this protocol to respond in tests without a network, or to log and count requests
/// around another transport.
public protocol ServerAPITransport: Sendable {
    /// Sends a request once, and returns the complete response with any status.
    ///
    /// The implementation must not follow redirects, must not retry, and must end within the request's time limit.
    func send(_ request: ServerAPITransportRequest) async throws(ServerAPITransportError) -> ServerAPITransportResponse
}

/// An HTTP request to the App Store Server API.
///
/// The headers contain the token, so the description omits them. Do not log them.
public struct ServerAPITransportRequest: Sendable {
    /// The HTTP method.
    public var method: String
    /// The absolute URL, percent-encoded.
    public var url: String
    /// The headers by name, including `Authorization`.
    public var headers: [String: String]
    /// The JSON of the body; nil for a request without a body.
    public var body: Data?
    /// The time limit for the complete response.
    public var timeout: Duration

    /// Creates a request.
    public init(method: String, url: String, headers: [String: String], body: Data?, timeout: Duration) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

extension ServerAPITransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL.
    public var description: String { "\(method) \(url)" }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// The request without its headers and its body.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": url, "timeout": timeout])
    }
}

/// An HTTP response of the App Store Server API.
public struct ServerAPITransportResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The complete body; empty for a response without a body.
    public var body: Data
    private let headers: [String: String]

    /// Creates a response.
    ///
    /// If two header names differ only in case, one of the values is used.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.body = body
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the value of a header, whose name is compared without regard to case; nil if the response does not have the header.
    public func header(_ name: String) -> String? { headers[name.lowercased()] }
}

/// The error of a request without a complete response.
public enum ServerAPITransportError: Error, Hashable, Sendable {
    /// The connection failed, so no part of the request was sent.
    case notConnected
    /// The connection ended or the time limit was reached after the request, or a part of it, was sent.
    case noResponse
    /// The body of the response exceeds ``HTTPServerAPITransport/maximumResponseSize``.
    case responseTooLarge(status: Int)
    /// The task was canceled.
    case canceled
}
