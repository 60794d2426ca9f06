import Foundation
import FoundationExtras
public import OpenStoreKit
package import StoreProtocol
import Synchronization
package import Wire

/// A transport between a device and a store that records requests and simulates faults.
public final class FaultyTransport: StoreTransport {
    /// A simulated fault of one request.
    public enum Fault: Sendable {
        /// The request does not reach the store.
        case offline
        /// The store processes the request; the reply is lost.
        case lostReply
        /// The store receives the request twice; the device receives the second reply.
        case duplicated
        /// The transport replies with an error and does not contact the store.
        case refused(status: Int)
    }

    private struct State {
        var calls: [String] = []
        var faults: [String: [Fault]] = [:]
        var isOffline = false
        var interruptions: [Int] = []
        var isContentCorrupt = false
        var pieceLength: Int?
        var streams: [AsyncThrowingStream<StoreEvent, any Error>?] = []
        var refusedContent: Int?
        var answers: [String: @Sendable (Data) -> Result<StoreResponse, StoreTransportError>] = [:]
        var gate: (@Sendable (String) async -> Bool)?
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let transport: any StoreTransport
    private let state = Mutex(State())

    /// Creates a transport that sends its requests with another one.
    public init(_ transport: any StoreTransport) {
        self.transport = transport
    }

    /// The paths of all requests, in order, including failed requests.
    public var calls: [String] { state.withLock { $0.calls } }

    /// The number of requests to an endpoint.
    package func count<Request, Response>(_ endpoint: Endpoint<Request, Response>) -> Int {
        calls.count { $0 == endpoint.template }
    }

    /// Disconnects or reconnects the transport.
    public func set(offline: Bool) {
        state.withLock { $0.isOffline = offline }
    }

    /// Reconnects the transport and removes the faults of requests.
    public func reconnect() {
        state.withLock { state in
            state.isOffline = false
            state.faults = [:]
        }
    }

    /// Adds faults of the next requests to an endpoint, one fault per request.
    package func fail<Request, Response>(_ endpoint: Endpoint<Request, Response>, _ faults: Fault...) {
        state.withLock { $0.faults[endpoint.template, default: []] += faults }
    }

    /// Replies to every request to an endpoint in place of the store.
    package func answer<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: @escaping @Sendable (Request) -> Result<Response, WireClientError>
    ) {
        state.withLock { state in
            state.answers[endpoint.template] = { data in
                guard let request = try? WireJSON.decode(Request.self, from: data) else { return .failure(.unreachable) }
                switch body(request) {
                case .success(let response): return .success(StoreResponse(status: 200, response))
                case .failure(.refused(let status, let error)): return .success(StoreResponse(status: status, error))
                case .failure(.invalidResponse(let status)): return .success(StoreResponse(status: status, body: Data()))
                case .failure(.unreachable): return .failure(.unreachable)
                }
            }
        }
    }

    /// Sets a function that decides before each request, by its path, whether it reaches the store.
    public func set(gate: (@Sendable (String) async -> Bool)?) {
        state.withLock { $0.gate = gate }
    }

    /// Waits until more than `count` requests were begun.
    public func waitForCalls(exceeding count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.calls.count <= count { state.waiters.append((count, continuation)) }
                return state.calls.count > count
            }
            if isDone { continuation.resume() }
        }
    }

    /// Interrupts the next content downloads after the given numbers of bytes, one length per download.
    public func interruptContent(after lengths: Int...) {
        state.withLock { $0.interruptions += lengths }
    }

    /// Sets the event streams of the next connections, in order; nil is a failed connection.
    ///
    /// Without a remaining stream, the transport does not support events.
    package func script(streams: [AsyncThrowingStream<StoreEvent, any Error>?]) {
        state.withLock { $0.streams += streams }
    }

    /// Opens a scripted event stream, or a content download.
    public func open(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        request.path == DeviceEndpoints.eventsPath ? try events() : try await content(request)
    }

    private func events() throws(StoreTransportError) -> StoreResponseStream? {
        let (isOver, stream) = state.withLock { state in
            state.streams.isEmpty ? (true, nil) : (false, state.streams.removeFirst())
        }
        if isOver { return nil }
        guard let stream else { throw .unreachable }
        let body = stream.map { Data("data: ".utf8) + (try WireJSON.encode($0)) + Data("\n\n".utf8) }
        return StoreResponseStream(status: 200, headers: [:], body: body)
    }

    /// Sets whether a bit of downloaded content is changed.
    public func corruptContent(_ isCorrupt: Bool = true) {
        state.withLock { $0.isContentCorrupt = isCorrupt }
    }

    /// Splits downloaded content into chunks of `length` bytes.
    public func splitContent(into length: Int) {
        state.withLock { $0.pieceLength = length }
    }

    /// Replies to the next content request with an error status.
    public func refuseContent(status: Int) {
        state.withLock { $0.refusedContent = status }
    }

    private func content(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        let (isOffline, refused, length) = state.withLock { state in
            // bytes=5-
            state.calls.append("content from \(request.header("Range")?.dropFirst(6).dropLast() ?? "0")")
            defer { state.refusedContent = nil }
            return (
                state.isOffline, state.refusedContent,
                state.isOffline || state.interruptions.isEmpty ? nil : state.interruptions.removeFirst()
            )
        }
        guard !isOffline else { throw .unreachable }
        if let refused {
            let body = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(StoreResponse.refusal(status: refused).body)
                continuation.finish()
            }
            return StoreResponseStream(status: refused, headers: [:], body: body)
        }
        guard var stream = try await transport.open(request) else { return nil }
        let (isCorrupt, piece) = state.withLock { ($0.isContentCorrupt, $0.pieceLength) }
        guard length != nil || isCorrupt || piece != nil else { return stream }
        let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        do {
            var data = Data()
            for try await chunk in stream.body { data += chunk }
            if isCorrupt, let last = data.indices.last { data[last] ^= 1 }
            var rest = data.prefix(length ?? data.count)
            while !rest.isEmpty {
                continuation.yield(Data(rest.prefix(piece ?? rest.count)))
                rest = rest.dropFirst(piece ?? rest.count)
            }
        } catch {}
        continuation.finish(throwing: length == nil ? nil : StoreTransportError.unreachable)
        stream.body = pieces
        return stream
    }

    /// Sends a request to the store, or simulates a fault.
    public func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        let (fault, answer, gate, waiters) = state.withLock { state in
            state.calls.append(request.path)
            let waiters = state.waiters.filter { $0.count < state.calls.count }
            state.waiters.removeAll { $0.count < state.calls.count }
            var fault = state.isOffline ? Fault.offline : nil
            if fault == nil, state.faults[request.path]?.isEmpty == false {
                fault = state.faults[request.path]?.removeFirst()
            }
            return (fault, state.answers[request.path], state.gate, waiters)
        }
        for waiter in waiters { waiter.continuation.resume() }
        if let gate, await !gate(request.path) { throw .unreachable }
        if let answer { return try answer(request.body ?? Data()).get() }
        switch fault {
        case nil:
            return try await transport.send(request)
        case .offline:
            throw .unreachable
        case .lostReply:
            _ = try await transport.send(request)
            throw .unreachable
        case .duplicated:
            _ = try await transport.send(request)
            return try await transport.send(request)
        case .refused(let status):
            return .refusal(status: status)
        }
    }
}

extension StoreResponse {
    /// A response with a JSON body.
    fileprivate init(status: Int, _ body: some Encodable) {
        self.init(status: status, body: (try? WireJSON.encode(body)) ?? Data())
    }

    /// A simulated error response of the store.
    fileprivate static func refusal(status: Int) -> StoreResponse {
        StoreResponse(status: status, WireError(code: "test.refused", message: "The test refuses this request."))
    }
}
