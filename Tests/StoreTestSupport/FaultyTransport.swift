import Foundation
public import OpenStoreKit
public import PurchaseModel
package import PurchaseProtocol
import Synchronization
package import WireClient

/// The line between a device and its store, which counts the calls and fails as a test wants.
public final class FaultyTransport: StoreTransport {
    /// What goes wrong with one call.
    public enum Fault: Sendable {
        /// It does not reach the store.
        case away
        /// The store carries it out; the answer is lost.
        case lostReply
        /// The store gets it twice; the second answer arrives.
        case doubled
        /// Somebody answers with an error in the store's place.
        case refused(status: Int)
    }

    private struct State {
        var calls: [String] = []
        var faults: [String: [Fault]] = [:]
        var isAway = false
        var breaks: [Int] = []
        var isContentDamaged = false
        var pieceLength: Int?
        var streams: [AsyncThrowingStream<StoreEvent, any Error>?] = []
        var refusedContent: Int?
        var answers: [String: @Sendable (Data) -> Result<StoreResponse, StoreTransportError>] = [:]
        var gate: (@Sendable (String) async -> Bool)?
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let line: HTTPStoreTransport
    private let state = Mutex(State())

    /// A line to the store at a base address.
    public init(storeURL: HTTPURL) {
        line = HTTPStoreTransport(storeURL: storeURL)
    }

    /// The paths of the calls that were made, in order; those that did not get through as well.
    public var calls: [String] { state.withLock { $0.calls } }

    /// How often an endpoint was called.
    package func count<Request, Response>(_ endpoint: Endpoint<Request, Response>) -> Int {
        calls.count { $0 == endpoint.template }
    }

    /// Cuts the line, or mends it.
    public func set(away: Bool) {
        state.withLock { $0.isAway = away }
    }

    /// Lets everything through again.
    public func mend() {
        state.withLock { state in
            state.isAway = false
            state.faults = [:]
        }
    }

    /// What goes wrong with the next calls of an endpoint, one after the other.
    package func fail<Request, Response>(_ endpoint: Endpoint<Request, Response>, _ faults: Fault...) {
        state.withLock { $0.faults[endpoint.template, default: []] += faults }
    }

    /// Answers every call of an endpoint in the store's place.
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
                case .failure(.unintelligible(let status)): return .success(StoreResponse(status: status, body: Data()))
                case .failure(.unreachable): return .failure(.unreachable)
                }
            }
        }
    }

    /// Asks before each call whether it gets through.
    public func set(gate: (@Sendable (String) async -> Bool)?) {
        state.withLock { $0.gate = gate }
    }

    /// Waits until more than so many calls were begun.
    public func untilCalls(exceed count: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.calls.count <= count { state.watchers.append((count, continuation)) }
                return state.calls.count > count
            }
            if isDone { continuation.resume() }
        }
    }

    /// Breaks connections that carry content after so many bytes, one after the other.
    public func breakContent(after lengths: Int...) {
        state.withLock { $0.breaks += lengths }
    }

    /// What the next wishes to listen to the store are answered with, one after the other; nil for no connection.
    ///
    /// A line whose streams have run out can't tell what happens, as one that never had any.
    package func script(streams: [AsyncThrowingStream<StoreEvent, any Error>?]) {
        state.withLock { $0.streams += streams }
    }

    /// Listens to what a test has the store say, or begins to fetch content.
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

    /// Changes a bit of content, from now on or no more.
    public func damageContent(_ isDamaged: Bool = true) {
        state.withLock { $0.isContentDamaged = isDamaged }
    }

    /// Hands content on in pieces of so many bytes.
    public func cutContent(into length: Int) {
        state.withLock { $0.pieceLength = length }
    }

    /// Answers the next wish for content with an error.
    public func refuseContent(status: Int) {
        state.withLock { $0.refusedContent = status }
    }

    private func content(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponseStream? {
        let (isAway, refused, length) = state.withLock { state in
            // bytes=5-
            state.calls.append("content from \(request.header("Range")?.dropFirst(6).dropLast() ?? "0")")
            defer { state.refusedContent = nil }
            return (state.isAway, state.refusedContent, state.isAway || state.breaks.isEmpty ? nil : state.breaks.removeFirst())
        }
        guard !isAway else { throw .unreachable }
        if let refused {
            let body = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(StoreResponse.refusal(status: refused).body)
                continuation.finish()
            }
            return StoreResponseStream(status: refused, headers: [:], body: body)
        }
        guard var stream = try await line.open(request) else { return nil }
        let (isDamaged, piece) = state.withLock { ($0.isContentDamaged, $0.pieceLength) }
        guard length != nil || isDamaged || piece != nil else { return stream }
        let (pieces, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        do {
            var data = Data()
            for try await chunk in stream.body { data += chunk }
            if isDamaged, let last = data.indices.last { data[last] ^= 1 }
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

    /// Calls the store, or fails.
    public func send(_ request: StoreRequest) async throws(StoreTransportError) -> StoreResponse {
        let (fault, answer, gate, watchers) = state.withLock { state in
            state.calls.append(request.path)
            let watchers = state.watchers.filter { $0.count < state.calls.count }
            state.watchers.removeAll { $0.count < state.calls.count }
            var fault = state.isAway ? Fault.away : nil
            if fault == nil, state.faults[request.path]?.isEmpty == false {
                fault = state.faults[request.path]?.removeFirst()
            }
            return (fault, state.answers[request.path], state.gate, watchers)
        }
        for watcher in watchers { watcher.continuation.resume() }
        if let gate, await !gate(request.path) { throw .unreachable }
        if let answer { return try answer(request.body ?? Data()).get() }
        switch fault {
        case nil:
            return try await line.send(request)
        case .away:
            throw .unreachable
        case .lostReply:
            _ = try await line.send(request)
            throw .unreachable
        case .doubled:
            _ = try await line.send(request)
            return try await line.send(request)
        case .refused(let status):
            return .refusal(status: status)
        }
    }
}

extension StoreResponse {
    /// An answer of our protocols.
    fileprivate init(status: Int, _ body: some Encodable) {
        self.init(status: status, body: (try? WireJSON.encode(body)) ?? Data())
    }

    /// What a test says in the store's place.
    fileprivate static func refusal(status: Int) -> StoreResponse {
        StoreResponse(status: status, WireError(code: "test.refused", message: "The test said no."))
    }
}
