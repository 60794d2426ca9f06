import LocalAppStore
import OpenStoreKit
import Synchronization

/// A transport that connects a device to a local store in the same process, without a socket.
final class InProcessTransport: StoreTransport {
    private let current = Mutex<InProcessStore?>(nil)

    /// The store to which the device is connected; nil before a test session connects a store.
    var store: InProcessStore? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        do {
            let answer = try await answer(request)
            return StoreResponse(status: answer.status, body: try await answer.data())
        } catch {
            throw .unreachable
        }
    }

    func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        do {
            let answer = try await answer(request)
            return StoreResponseStream(status: answer.status, headers: answer.headers, body: answer.chunks())
        } catch {
            throw .unreachable
        }
    }

    private func answer(_ request: StoreRequest) async throws -> InProcessResponse {
        guard let store else { throw StoreTransportError.unreachable }
        return try await store.send(request.method, request.path, headers: request.headers, body: request.body)
    }
}
