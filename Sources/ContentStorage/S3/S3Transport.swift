import NIOCore

/// Sends the HTTP requests of a bucket's client.
protocol S3Transport: Sendable {
    /// Sends a request once, and returns the response with any status before its body is read.
    ///
    /// The implementation must not follow redirects and must not retry.
    func send(_ request: S3TransportRequest) async throws(S3TransportError) -> S3TransportResponse
}

/// An HTTP request to a bucket.
///
/// The headers authorize the request, so the description omits them. Do not log them.
struct S3TransportRequest: Sendable {
    /// The body of a request.
    enum Body: Sendable {
        case bytes(ByteBuffer)
        /// A range of a file, which each attempt reads again.
        case file(OpenFile, Range<Int64>)
    }

    var method: String
    /// The absolute URL, percent-encoded.
    var url: String
    /// The headers by their names in lower case, with `host`.
    var headers: [String: String]
    var body: Body?
    /// The time limit until the head of the response.
    var timeout: Duration
}

extension S3TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the URL.
    var description: String { "\(method) \(url)" }

    /// The same text as ``description``.
    var debugDescription: String { description }

    /// The request without its headers and its body.
    var customMirror: Mirror { Mirror(self, children: ["method": method, "url": url, "timeout": timeout]) }
}

/// An HTTP response of a bucket.
struct S3TransportResponse: Sendable {
    /// Reads the next bytes of the body; nil at its end.
    typealias Read = @Sendable () async throws(S3TransportError) -> ByteBuffer?

    let status: Int
    /// The headers by their names in lower case.
    let headers: [String: String]
    let read: Read
}

/// The error of a request without a complete response.
enum S3TransportError: Error, Hashable, Sendable {
    /// The connection failed, so no part of the request was sent.
    case notConnected
    /// The connection ended or the time limit was reached after the request, or a part of it, was sent.
    case noResponse
    /// The body of the request can't be read.
    case body(ContentStorageError)
    /// The task was canceled.
    case canceled
}
