import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import Synchronization
import WireClient

/// The line between a device and a store of the same process: no socket, and everything else as over one.
final class InProcessTransport: StoreTransport {
    private let current = Mutex<InProcessStore?>(nil)

    /// The store at the other end.
    var store: InProcessStore? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, token: String?
    ) async throws(WireClientError) -> Response {
        let answer: InProcessAnswer
        let data: Data
        do {
            answer = try await send(endpoint.method.rawValue, endpoint.path(), token, try WireJSON.encode(body))
            data = try await answer.data()
        } catch {
            throw .unreachable
        }
        guard (200..<300).contains(answer.status) else {
            guard let error = try? WireJSON.decode(WireError.self, from: data) else { throw .unintelligible(status: answer.status) }
            throw .refused(status: answer.status, error)
        }
        do {
            return try WireJSON.decode(Response.self, from: data)
        } catch {
            throw .unintelligible(status: answer.status)
        }
    }

    func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? {
        let answer: InProcessAnswer
        do {
            answer = try await send("GET", DeviceEndpoints.eventsPath, token, nil)
        } catch {
            throw .unreachable
        }
        guard answer.status == 200 else { throw .unreachable }
        let chunks = answer.chunks()
        return AsyncThrowingStream { continuation in
            let reading = Task {
                do {
                    // The store writes whole lines at a time.
                    for try await chunk in chunks {
                        for line in String(decoding: chunk, as: UTF8.self).split(separator: "\n") where line.hasPrefix("data: ") {
                            guard let event = try? WireJSON.decode(StoreEvent.self, from: Data(line.dropFirst(6).utf8)) else { continue }
                            continuation.yield(event)
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    private func send(_ method: String, _ path: String, _ token: String?, _ body: Data?) async throws -> InProcessAnswer {
        guard let store else { throw WireClientError.unreachable }
        let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        return try await store.send(method, path, headers: headers, body: body)
    }
}
