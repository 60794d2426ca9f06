import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP with Foundation's `URLSession`.
final class SessionTransport: HTTPTransport {
    /// The maximum number of connections to one server: those of a download, and some for other calls.
    ///
    /// The timeout of a request includes the wait for a connection.
    private static let connections = 16

    private let session: URLSession
    private let delegate = SessionDelegate()

    /// Creates a transport; no connection is made until the first request.
    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 60
        configuration.httpMaximumConnectionsPerHost = Self.connections
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
        // Let running exchanges continue to their end.
        session.finishTasksAndInvalidate()
    }

    func open(_ request: TransportRequest) async throws -> TransportResponse {
        guard let url = URL(string: request.url) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method
        message.httpBody = request.body
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        // Request no compression: the offsets of a range and the digest of a signed answer refer to uncompressed bytes.
        message.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        let exchange = SessionExchange(session.dataTask(with: message))
        delegate.add(exchange)
        let body = SessionBody(exchange)
        let response = try await exchange.start()
        let headers = response.allHeaderFields.compactMap { name, value in
            if let name = name as? String, let value = value as? String { (name: name, value: value) } else { nil }
        }
        return TransportResponse(status: response.statusCode, headers: headers, body: body)
    }
}

/// Passes the events of a session on to the exchanges.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: SessionExchange]>([:])

    func add(_ exchange: SessionExchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Let the system verify the server's certificate, and reject other challenges, because the kit's only credentials are tokens.
        #if canImport(Darwin)
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        completionHandler(.rejectProtectionSpace, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }
}

/// The body of a response, whose release cancels the exchange.
private final class SessionBody: AsyncSequence, Sendable {
    private let exchange: SessionExchange

    init(_ exchange: SessionExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        /// The body, which the iterator retains, because the release of the body cancels the exchange.
        fileprivate let body: SessionBody

        mutating func next() async throws -> Data? { try await body.exchange.next() }
    }
}
