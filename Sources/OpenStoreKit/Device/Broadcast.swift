import Foundation
import Synchronization

/// Delivers each element to all listeners; before the first listener, the newest ``limit`` elements are kept for it.
///
/// A broadcast with `keepsUntilForgotten` also delivers its kept elements to later listeners.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var waiting: [Element] = []
        var isHeard = false
        var isEnded = false
    }

    /// The number of elements that are kept for the first listener.
    static var limit: Int { 1_000 }

    private let state = Mutex(State())
    private let keepsUntilForgotten: Bool

    init(keepsUntilForgotten: Bool = false) {
        self.keepsUntilForgotten = keepsUntilForgotten
    }

    /// A new stream for one listener; the stream ends with the device.
    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        add(continuation)
        return stream
    }

    /// Adds a listener; returns whether it is the first.
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

    /// Delivers an element to all listeners; `keeping` decides whether the element is kept for the first listener when there was none.
    ///
    /// - Returns: Whether the broadcast had a listener.
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

    /// The number of listeners.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// The elements that the next listener receives first.
    var kept: [Element] { state.withLock { $0.waiting } }

    /// Removes elements that were kept for later listeners.
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
