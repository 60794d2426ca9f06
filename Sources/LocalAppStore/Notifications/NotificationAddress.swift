import AsyncHTTPClient
import Foundation
import FoundationExtras
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import PurchaseModel
import StoreProtocol
import Synchronization

/// The URL of a developer's server to which the store posts App Store Server Notifications.
struct NotificationAddress: Hashable, Sendable {
    /// The default time within which a developer's server must respond to a notification.
    static let timeout = Duration.seconds(10)
    /// The maximum size, in bytes, of a response body that is read so that the connection can be reused, and the time-out for reading it.
    private static let maximumResponseSize = 64 << 10
    private static let responseTimeout = Duration.milliseconds(250)

    /// The full URL of the endpoint.
    let url: String

    /// Parses a URL; nil if the text is not an http or https URL.
    init?(_ text: String) {
        guard let url = HTTPURL(text) else { return nil }
        self.url = url.text
    }

    /// Posts a notification and returns the answer, whose result depends on the response's status and not on its body.
    ///
    /// - Parameters:
    ///   - body: The JSON body of the request.
    ///   - timeout: The time within which the server must respond.
    func post(_ body: String, within timeout: Duration = timeout) async -> DeliveryAnswer {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "App Store Server Notifications (LocalAppStore)")
        request.body = .bytes(ByteBuffer(string: body))
        do {
            let response = try await Self.client.execute(request, timeout: TimeAmount(timeout))
            let result = SendAttemptResult(response.status, location: response.headers.first(name: "Location"), from: url)
            var answer = DeliveryAnswer(result, status: Int(response.status.code))
            // If the body stays unread, the connection cannot be reused, which only matters for long bodies. Waiting for a late body would
            // delay the next notifications.
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length <= Self.maximumResponseSize {
                let body = try? await withDeadline(min(Self.responseTimeout, timeout)) {
                    try await response.body.collect(upTo: Self.maximumResponseSize)
                }
                answer.body = body.flatMap { DeliveryAnswer.text($0) }
            }
            return answer
        } catch {
            return DeliveryAnswer(SendAttemptResult(error))
        }
    }

    /// The HTTP client of all stores of the process, with enough connections that the stores do not wait for each other.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.timeout.connect = TimeAmount(timeout)
        configuration.timeout.read = TimeAmount(timeout)
        configuration.redirectConfiguration = .disallow
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}

/// What a developer's server answered to a notification.
struct DeliveryAnswer: Sendable {
    let result: SendAttemptResult
    /// The HTTP status; nil without a response.
    let status: Int?
    /// The beginning of the body as text; nil for an empty body, and for one that was not read.
    var body: String?

    init(_ result: SendAttemptResult, status: Int? = nil) {
        self.result = result
        self.status = status
    }

    /// The beginning of a body as text, in which invalid UTF-8 is replaced; nil if the body is empty.
    static func text(_ body: ByteBuffer) -> String? {
        let bytes = body.readableBytesView.prefix(DeliveryAttempt.responseLimit)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}

extension SendAttemptResult {
    /// Creates the result for an HTTP response: the server accepted the notification if the status is 200 to 206.
    ///
    /// Redirects are not followed; a redirect to the notification URL itself is a circular redirect.
    ///
    /// - Parameters:
    ///   - location: The `Location` header of the response; nil if it has none.
    ///   - url: The notification URL.
    init(_ status: HTTPResponseStatus, location: String?, from url: String) {
        switch status.code {
        case 200...206: self = .success
        case 300..<400 where Self.isCircular(location, to: url): self = .circularRedirect
        default: self = .unsuccessfulStatus
        }
    }

    /// Returns whether the URL in a `Location` header, which may be relative (RFC 9110, section 10.2.2), is the URL of the request.
    private static func isCircular(_ location: String?, to url: String) -> Bool {
        guard let location, let base = URL(string: url), let target = URL(string: location, relativeTo: base) else { return false }
        return RedirectTarget(target) == RedirectTarget(base)
    }

    /// A normalized URL for comparison: without fragment and `..`, with port and path, and with scheme and host in lowercase.
    private struct RedirectTarget: Equatable {
        let scheme: String?
        let host: String?
        let port: Int
        let path: String
        let query: String?

        init?(_ url: URL) {
            guard let parts = URLComponents(url: url.absoluteURL.standardized, resolvingAgainstBaseURL: true) else { return nil }
            scheme = parts.scheme?.lowercased()
            host = parts.host?.lowercased()
            port = parts.port ?? (scheme == "https" ? 443 : 80)
            path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
            query = parts.percentEncodedQuery
        }
    }

    /// Creates the result for a request that failed without a response.
    init(_ error: any Error) {
        switch error {
        case let error as HTTPClientError: self.init(error)
        case let error as ChannelError: self = if case .connectTimeout = error { .noResponse } else { .socketIssue }
        case is NIOConnectionError: self = .socketIssue
        case let error as IOError: self = [ECONNRESET, EPIPE].contains(error.errnoCode) ? .prematureClose : .socketIssue
        case is HTTPParserError: self = .invalidResponse
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = .tlsIssue
        default: self = .other
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout: self = .timedOut
        case .connectTimeout, .getConnectionFromPoolTimeout: self = .noResponse
        case .remoteConnectionClosed, .uncleanShutdown: self = .prematureClose
        case .tlsHandshakeTimeout: self = .tlsIssue
        case .redirectCycleDetected, .redirectLimitReached: self = .circularRedirect
        default: self = .other
        }
    }
}

/// The notification URLs that did not respond during a delivery pass or an advance of the store's time.
final class UnresponsiveServers: Sendable {
    private struct State {
        var results: [NotificationAddress: (result: SendAttemptResult, timedOut: Bool)] = [:]
    }

    private let state = Mutex(State())

    /// Records that a notification URL did not respond.
    ///
    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - timedOut: Whether the attempt waited until the time-out.
    func insert(_ address: NotificationAddress, _ result: SendAttemptResult, timedOut: Bool) {
        state.withLock { state in
            state.results[address] = (result, timedOut)
        }
    }

    /// Returns the result of the attempt to which a notification URL did not respond; nil if the URL has responded or was not used.
    ///
    /// - Parameter afterTimeout: Whether only an attempt counts that waited until the time-out.
    func result(of address: NotificationAddress, afterTimeout: Bool) -> SendAttemptResult? {
        state.withLock { $0.results[address] }.flatMap { $0.timedOut || !afterTimeout ? $0.result : nil }
    }

    var isEmpty: Bool { state.withLock { $0.results.isEmpty } }

    /// Whether at least one attempt waited until the time-out.
    var causedTimeout: Bool { state.withLock { $0.results.values.contains(where: \.timedOut) } }
}
