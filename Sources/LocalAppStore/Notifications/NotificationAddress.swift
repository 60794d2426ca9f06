import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PurchaseModel

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

    /// Posts a notification and returns the result, which depends on the response's status and not on its body.
    ///
    /// - Parameters:
    ///   - body: The JSON body of the request.
    ///   - timeout: The time within which the server must respond.
    func post(_ body: String, within timeout: Duration = timeout) async -> SendAttemptResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "App Store Server Notifications (LocalAppStore)")
        request.body = .bytes(ByteBuffer(string: body))
        do {
            let response = try await Self.client.execute(request, timeout: TimeAmount(timeout))
            // If the body stays unread, the connection cannot be reused, which only matters for long bodies. Waiting for a late body would
            // delay the next notifications.
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
