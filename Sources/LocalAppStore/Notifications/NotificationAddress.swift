import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import PurchaseModel

/// Where notifications go.
struct NotificationAddress: Hashable, Sendable {
    /// How long a server may take to answer one notification.
    static let timeout = Duration.seconds(10)
    /// The most bytes of an answer that are read, to use its connection again, and how long they are waited for.
    private static let answerLimit = 64 << 10
    private static let answerPatience = Duration.milliseconds(250)

    /// The full address.
    let url: String

    /// Takes an address; nil unless a client can open it.
    init?(_ text: String) {
        guard let url = HTTPURL(text) else { return nil }
        self.url = url.text
    }

    /// Posts a body of JSON and says what came of it; the status alone decides, whatever body comes with it.
    func post(_ body: String, within timeout: Duration = timeout) async -> SendAttemptResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
        request.headers.add(name: "User-Agent", value: "App Store Server Notifications (LocalAppStore)")
        request.body = .bytes(ByteBuffer(string: body))
        do {
            let response = try await Self.client.execute(request, timeout: TimeAmount(timeout))
            // A body that is not read costs the connection, which only matters for servers that answer at length. One that does not come
            // at once would hold up the notifications behind this one.
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length <= Self.answerLimit {
                _ = try? await withDeadline(min(Self.answerPatience, timeout)) { try await response.body.collect(upTo: Self.answerLimit) }
            }
            return SendAttemptResult(response.status, location: response.headers.first(name: "Location"), from: url)
        } catch {
            return SendAttemptResult(error)
        }
    }

    /// The client of every store: enough connections that the stores of one process do not wait for each other.
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
