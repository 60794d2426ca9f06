public import PurchaseModel
import Wire
import WireClient

/// A transport that reaches the store over HTTP.
public struct HTTPStoreTransport: StoreTransport {
    private let client: WireClient

    /// Creates a transport to the store at a base address.
    public init(storeURL: HTTPURL) {
        client = WireClient(baseURL: storeURL)
    }

    /// Sends a request and returns the whole response.
    ///
    /// - Throws: ``StoreTransportError/unreachable`` if no response arrives.
    public func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        do {
            let answer = try await client.exchange(request.method, request.path, request.headers, request.body)
            return StoreResponse(status: answer.status, body: answer.body)
        } catch {
            throw .unreachable
        }
    }

    /// Sends a request and returns the response as soon as it begins; a minute without a byte ends the response.
    ///
    /// - Throws: ``StoreTransportError/unreachable`` if no response arrives.
    public func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        do {
            let answer = try await client.open(request.method, request.path, request.headers, request.body)
            return StoreResponseStream(status: answer.status, headers: answer.headers, body: answer.bytes)
        } catch {
            throw .unreachable
        }
    }
}
