import Foundation
import Synchronization

/// Tells everybody who listens; what is told before anybody does is kept for the first, the newest ``limit`` of it.
///
/// A broadcast that keeps until it is told to forget has something for later listeners, too.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var waiting: [Element] = []
        var isHeard = false
        var isEnded = false
    }

    /// How much is kept for the first listener.
    static var limit: Int { 1_000 }

    private let state = Mutex(State())
    private let keepsUntilForgotten: Bool

    init(keepsUntilForgotten: Bool = false) {
        self.keepsUntilForgotten = keepsUntilForgotten
    }

    /// A stream of its own for whoever listens; it ends with the device.
    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        add(continuation)
        return stream
    }

    /// Adds a listener; whether it is the first.
    @discardableResult
    func add(_ continuation: AsyncStream<Element>.Continuation) -> Bool {
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        let (isFirst, waiting, isEnded) = state.withLock { state in
            let first = !state.isHeard
            state.isHeard = true
            if !state.isEnded { state.listeners[id] = continuation }
            defer { if !keepsUntilForgotten { state.waiting = [] } }
            return (first, state.waiting, state.isEnded)
        }
        for element in waiting { continuation.yield(element) }
        if isEnded { continuation.finish() }
        return isFirst
    }

    /// Tells everybody; `keeping` says whether it waits for the first listener when there was none.
    ///
    /// - Returns: Whether somebody listens.
    @discardableResult
    func tell(_ element: Element, keeping: Bool = true) -> Bool {
        let listeners = state.withLock { state in
            if keepsUntilForgotten || (!state.isHeard && keeping) {
                state.waiting.append(element)
                if state.waiting.count > Self.limit { state.waiting.removeFirst() }
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(element) }
        return !listeners.isEmpty
    }

    /// How many listen.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// What whoever listens next is told first.
    var kept: [Element] { state.withLock { $0.waiting } }

    /// Keeps something no longer for those who listen later.
    func forget(_ isMeant: (Element) -> Bool) {
        state.withLock { $0.waiting.removeAll(where: isMeant) }
    }

    /// Ends every stream.
    func end() {
        let listeners = state.withLock { state in
            state.isEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
