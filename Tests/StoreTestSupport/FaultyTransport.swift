import Foundation
public import OpenStoreKit
public import PurchaseModel
import Synchronization
public import WireClient

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
        var answers: [String: @Sendable (any Sendable) -> Result<any Sendable, WireClientError>] = [:]
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
    public func count<Request, Response>(_ endpoint: Endpoint<Request, Response>) -> Int {
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
    public func fail<Request, Response>(_ endpoint: Endpoint<Request, Response>, _ faults: Fault...) {
        state.withLock { $0.faults[endpoint.template, default: []] += faults }
    }

    /// Answers every call of an endpoint in the store's place.
    public func answer<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: @escaping @Sendable (Request) -> Result<Response, WireClientError>
    ) {
        state.withLock { state in
            state.answers[endpoint.template] = { request in
                guard let request = request as? Request else { return .failure(.unreachable) }
                return body(request).map { $0 }
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
    public func script(streams: [AsyncThrowingStream<StoreEvent, any Error>?]) {
        state.withLock { $0.streams += streams }
    }

    /// Listens to what a test has the store say.
    public func events(token: String) async throws(WireClientError) -> AsyncThrowingStream<StoreEvent, any Error>? {
        let (isOver, stream) = state.withLock { state in
            state.streams.isEmpty ? (true, nil) : (false, state.streams.removeFirst())
        }
        if isOver { return nil }
        guard let stream else { throw .unreachable }
        return stream
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

    /// Begins to fetch content, or fails.
    public func content(_ request: ContentRequest, token: String) async throws(WireClientError) -> ContentReply {
        let (isAway, refused, length) = state.withLock { state in
            state.calls.append("content from \(request.offset)")
            defer { state.refusedContent = nil }
            return (state.isAway, state.refusedContent, state.isAway || state.breaks.isEmpty ? nil : state.breaks.removeFirst())
        }
        guard !isAway else { throw .unreachable }
        if let refused { throw .refused(status: refused, WireError(code: "test.refused", message: "The test said no.")) }
        var reply = try await line.content(request, token: token)
        let (isDamaged, piece) = state.withLock { ($0.isContentDamaged, $0.pieceLength) }
        guard length != nil || isDamaged || piece != nil else { return reply }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        do {
            var data = Data()
            for try await chunk in reply.bytes { data += chunk }
            if isDamaged, let last = data.indices.last { data[last] ^= 1 }
            var rest = data.prefix(length ?? data.count)
            while !rest.isEmpty {
                continuation.yield(Data(rest.prefix(piece ?? rest.count)))
                rest = rest.dropFirst(piece ?? rest.count)
            }
        } catch {}
        continuation.finish(throwing: length == nil ? nil : WireClientError.unreachable)
        reply.bytes = stream
        return reply
    }

    /// Calls the store, or fails.
    public func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ body: Request,
        token: String?
    ) async throws(WireClientError) -> Response {
        let (fault, answer, gate, watchers) = state.withLock { state in
            state.calls.append(endpoint.template)
            let watchers = state.watchers.filter { $0.count < state.calls.count }
            state.watchers.removeAll { $0.count < state.calls.count }
            var fault = state.isAway ? Fault.away : nil
            if fault == nil, state.faults[endpoint.template]?.isEmpty == false {
                fault = state.faults[endpoint.template]?.removeFirst()
            }
            return (fault, state.answers[endpoint.template], state.gate, watchers)
        }
        for watcher in watchers { watcher.continuation.resume() }
        if let gate, await !gate(endpoint.template) { throw .unreachable }
        if let answer {
            guard let response = try answer(body).get() as? Response else { throw .unreachable }
            return response
        }
        switch fault {
        case nil:
            return try await line.call(endpoint, body, token: token)
        case .away:
            throw .unreachable
        case .lostReply:
            let _: Response = try await line.call(endpoint, body, token: token)
            throw .unreachable
        case .doubled:
            let _: Response = try await line.call(endpoint, body, token: token)
            return try await line.call(endpoint, body, token: token)
        case .refused(let status):
            throw .refused(status: status, WireError(code: "test.refused", message: "The test said no."))
        }
    }
}
