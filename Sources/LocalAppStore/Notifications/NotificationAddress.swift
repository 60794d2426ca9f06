import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PurchaseModel

/// A notification URL.
struct NotificationAddress: Hashable, Sendable {
    /// The time-out of a server for one notification.
    static let timeout = Duration.seconds(10)
    /// The maximum size of a response body that is read to reuse the connection, in bytes, and the time-out of the body.
    private static let maximumResponseSize = 64 << 10
    private static let responseTimeout = Duration.milliseconds(250)

    /// The full URL.
    let url: String

    /// Parses a URL; nil unless an HTTP client can open the URL.
    init?(_ text: String) {
        guard let url = HTTPURL(text) else { return nil }
        self.url = url.text
    }

    /// Posts a JSON body and returns the outcome; the status alone decides, regardless of the response's body.
    func post(_ body: String, within timeout: Duration = timeout) async -> SendAttemptResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "App Store Server Notifications (LocalAppStore)")
        request.body = .bytes(ByteBuffer(string: body))
        do {
            let response = try await Self.client.execute(request, timeout: TimeAmount(timeout))
            // An unread body prevents reuse of the connection, which matters only for servers with long responses. Waiting for a late
            // body would delay the following notifications.
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length <= Self.maximumResponseSize {
                _ = try? await withDeadline(min(Self.responseTimeout, timeout)) {
                    try await response.body.collect(upTo: Self.maximumResponseSize)
                }
            }
            return SendAttemptResult(response.status, location: response.headers.first(name: "Location"), from: url)
        } catch {
            return SendAttemptResult(error)
        }
    }

    /// The HTTP client of every store, with enough connections that the stores of one process do not wait for each other.
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
