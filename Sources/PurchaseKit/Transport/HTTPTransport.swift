import Foundation

/// Sends the kit's HTTP requests: requests to the developer's server, and downloads of content.
///
/// A transport follows no redirection, stores neither cookies nor responses, and sends only the credentials in the request's header fields.
protocol HTTPTransport: Sendable {
    /// Sends a request, and returns the response, of any status, before the body is read.
    ///
    /// A canceled task ends the exchange. Without a deadline of the caller, the exchange fails after a minute in which no byte arrives.
    func open(_ request: TransportRequest) async throws -> TransportResponse
}

/// An HTTP request of the kit.
struct TransportRequest: Hashable, Sendable {
    var method: String
    /// The complete URL of the request.
    var url: String
    var headers: [String: String] = [:]
    var body: Data?
}

/// The beginning of a response, whose body follows.
struct TransportResponse: Sendable {
    /// The error of a body that is longer than the reader permits.
    struct TooLong: Error {}

    let status: Int
    /// The header fields; a field with several lines can occur once, with its values joined.
    let headers: [(name: String, value: String)]
    /// The bytes of the body, in parts as they are received, for one reader.
    ///
    /// The exchange is canceled when the body and its iterator are released.
    let body: any AsyncSequence<Data, any Error> & Sendable

    /// Returns the value of a header field, or nil without the field; the name is case-insensitive.
    func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Reads the complete body.
    ///
    /// - Throws: ``TooLong`` as soon as more than `limit` bytes have arrived, or the error of the connection.
    func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await part in body {
            guard part.count <= limit - data.count else { throw TooLong() }
            data += part
        }
        return data
    }
}

/// The transport of the platform.
enum SystemTransport {
    /// The transport that all calls of a process share.
    ///
    /// On Linux, `URLSession` (swift-corelibs-foundation of Swift 6.3) does not meet two requirements of the kit. The memory of a download
    /// grows with the content, because a transfer can't be suspended. A connection that breaks within the head of a response ends the
    /// process (<https://github.com/swiftlang/swift-corelibs-foundation/issues/5285>).
    static let shared: any HTTPTransport = {
        #if os(Linux)
            ClientTransport()
        #else
            SessionTransport()
        #endif
    }()
}
