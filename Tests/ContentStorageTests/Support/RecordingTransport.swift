import NIOCore
import PurchaseModel
import Synchronization

@testable import ContentStorage

/// A transport that records requests, and answers some of them instead of the server.
final class RecordingTransport: S3Transport {
    /// Answers a request; nil sends it to the server. The number counts the requests from 1.
    typealias Answer =
        @Sendable (
            _ request: S3TransportRequest, _ number: Int
        ) async throws(S3TransportError) -> S3TransportResponse?

    private let requests = Mutex<[S3TransportRequest]>([])
    private let answer: Answer
    private let server: any S3Transport

    init(_ server: any S3Transport = HTTPS3Transport(), _ answer: @escaping Answer = { _, _ in nil }) {
        self.server = server
        self.answer = answer
    }

    /// The method of each request and its query without the identifier of an upload, such as `PUT partNumber=1`.
    var summary: [String] { requests.withLock { $0.map(\.summary) } }

    /// The requests that were sent, in order.
    var all: [S3TransportRequest] { requests.withLock { $0 } }

    func send(_ request: S3TransportRequest) async throws(S3TransportError) -> S3TransportResponse {
        let number = requests.withLock { requests in
            requests.append(request)
            return requests.count
        }
        if let response = try await answer(request, number) { return response }
        return try await server.send(request)
    }
}

extension S3TransportRequest {
    /// The method and the query without the identifier of an upload, the prefix and the encoding of keys.
    var summary: String {
        let query = url.split(separator: "?").dropFirst().joined().split(separator: "&")
            .filter { !["uploadId", "prefix", "encoding-type"].contains($0.prefix { $0 != "=" }) }
        return ([method] + query.map { String($0) }).joined(separator: " ")
    }

    /// The number of the part that the request sends; nil for another request.
    var partNumber: Int? {
        url.firstMatch(of: /partNumber=([0-9]+)/).flatMap { Int($0.output.1) }
    }
}

extension S3TransportResponse {
    /// A response with a body in memory, in chunks.
    init(_ status: Int, _ headers: [String: String] = [:], chunks: [String] = [], then error: S3TransportError? = nil) {
        let rest = Rest(chunks.map { ByteBuffer(string: $0) }, error)
        self.init(status: status, headers: headers) { () async throws(S3TransportError) in try rest.next() }
    }

    /// An error response.
    static func error(_ status: Int, _ code: String, _ message: String = "m", headers: [String: String] = [:]) -> S3TransportResponse {
        let body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(code)</Code><Message>\(message)</Message></Error>"
        return S3TransportResponse(status, headers, chunks: [body])
    }

    private final class Rest: Sendable {
        private let chunks: Mutex<[ByteBuffer]>
        private let error: S3TransportError?

        init(_ chunks: [ByteBuffer], _ error: S3TransportError?) {
            self.chunks = Mutex(chunks)
            self.error = error
        }

        func next() throws(S3TransportError) -> ByteBuffer? {
            let next = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if next == nil, let error { throw error }
            return next
        }
    }
}
