import AsyncHTTPClient
import FoundationExtras
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization
import WireClient

/// A request to a webhook endpoint.
struct WebhookRequest: Sendable {
    let url: WebhookURL
    /// The checked address of the host.
    let address: IPAddress
    let headers: [String: String]
    let body: [UInt8]
}

/// The reply of a webhook endpoint.
enum WebhookResponse: Hashable, Sendable {
    /// A response with a status, and the seconds of its header `Retry-After`.
    case status(Int, retryAfter: Int64? = nil)
    /// No response within the deadline.
    case timeout
    /// No connection, or an invalid response.
    case unreachable
}

/// Sends requests to webhook endpoints.
protocol WebhookTransport: Sendable {
    /// Posts a request, and returns the reply.
    ///
    /// - Throws: `CancellationError` if the task was canceled before a reply.
    func post(_ request: WebhookRequest, within timeout: Duration) async throws(CancellationError) -> WebhookResponse
}

/// Sends requests over HTTP, to the checked address of the host, without redirects.
final class HTTPWebhookTransport: WebhookTransport {
    /// The transport of the process, because an HTTP client must not be deallocated while it is open.
    static let shared = HTTPWebhookTransport()

    /// The maximum number of clients, each of which has the connections to one address of one host.
    private static let clientLimit = 256
    /// The maximum size in bytes of a body that is read so that the connection can be used again, and the longest wait for the body.
    private static let bodyLimit = 16 << 10
    private static let bodyTimeout = Duration.milliseconds(250)

    private struct Destination: Hashable {
        let host: String
        let address: IPAddress
    }

    private struct Clients {
        var all: [Destination: HTTPClient] = [:]
        /// The destinations, least recently created first.
        var order: [Destination] = []
    }

    private let clients = Mutex(Clients())

    private init() {}

    func post(_ request: WebhookRequest, within timeout: Duration) async throws(CancellationError) -> WebhookResponse {
        var message = HTTPClientRequest(url: request.url.text)
        message.method = .POST
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = .bytes(ByteBuffer(bytes: request.body))
        do {
            let client = client(for: Destination(host: request.url.host, address: request.address))
            let response = try await client.execute(message, timeout: TimeAmount(timeout))
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length <= Self.bodyLimit {
                _ = try? await withDeadline(Self.bodyTimeout) { try await response.body.collect(upTo: Self.bodyLimit) }
            }
            let retryAfter = response.headers.first(name: "Retry-After").flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
            return .status(Int(response.status.code), retryAfter: retryAfter)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            guard let error = error as? HTTPClientError else { return .unreachable }
            return [.deadlineExceeded, .readTimeout, .connectTimeout].contains(error) ? .timeout : .unreachable
        }
    }

    private func client(for destination: Destination) -> HTTPClient {
        let (client, evicted) = clients.withLock { clients -> (HTTPClient, HTTPClient?) in
            if let client = clients.all[destination] { return (client, nil) }
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.timeout.connect = .seconds(10)
            // Connect to the checked address, and state the name of the host in TLS and in the header Host.
            configuration.dnsOverride = [destination.host: destination.address.description]
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            var evicted: HTTPClient?
            if clients.order.count >= Self.clientLimit { evicted = clients.all.removeValue(forKey: clients.order.removeFirst()) }
            clients.all[destination] = client
            clients.order.append(destination)
            return (client, evicted)
        }
        // A request of the evicted client fails, and is sent again later.
        evicted?.shutdown { _ in }
        return client
    }
}
