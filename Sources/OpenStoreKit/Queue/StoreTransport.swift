import Foundation
import NIOHTTP1
public import PurchaseModel
public import WireClient

/// How a device reaches its store; replaced in tests to lose, repeat and delay what is sent.
public protocol StoreTransport: Sendable {
    /// Calls an endpoint of the device protocol.
    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response

    /// What happens to the account at the store, as it happens, until the connection is lost; nil when this transport can't tell.
    func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>?

    /// Begins to fetch what the store hosts for a transaction.
    func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply
}

extension StoreTransport {
    /// Can't tell: the device then learns of news when it launches, and when it is woken.
    public func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? { nil }

    /// Can't fetch: downloads wait.
    public func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply { throw .unreachable }
}

/// Reaches the store over HTTP.
public struct HTTPStoreTransport: StoreTransport {
    let client: WireClient

    /// Creates a transport to the store at a base address.
    public init(storeURL: HTTPURL) {
        client = WireClient(baseURL: storeURL)
    }

    /// Calls an endpoint of the device protocol.
    public func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        try await client.call(endpoint, body, token: token)
    }

    /// Listens to the store's server-sent events.
    public func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? {
        let response = try await client.send(.GET, DeviceEndpoints.eventsPath, token: token)
        return AsyncThrowingStream { continuation in
            let reading = Task {
                do {
                    for try await line in WireLines(response) where line.hasPrefix("data: ") {
                        guard let event = try? WireJSON.decode(StoreEvent.self, from: Data(line.dropFirst(6).utf8)) else { continue }
                        continuation.yield(event)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }
}
