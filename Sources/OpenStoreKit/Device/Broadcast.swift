import Foundation
import Synchronization

/// Delivers each element to all listeners, and keeps up to ``limit`` elements for the first listener.
///
/// A broadcast with `retainsUntilRemoved` also delivers its kept elements to later listeners.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var waiting: [Element] = []
        var hasHadListener = false
        var isEnded = false
    }

    /// The number of elements that are kept for the first listener.
    static var limit: Int { 1_000 }

    private let state = Mutex(State())
    private let retainsUntilRemoved: Bool

    init(retainsUntilRemoved: Bool = false) {
        self.retainsUntilRemoved = retainsUntilRemoved
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
            let first = !state.hasHadListener
            state.hasHadListener = true
            if !state.isEnded { state.listeners[id] = continuation }
            defer { if !retainsUntilRemoved { state.waiting = [] } }
            return (first, state.waiting, state.isEnded)
        }
        for element in waiting { continuation.yield(element) }
        if isEnded { continuation.finish() }
        return isFirst
    }

    /// Delivers an element to all listeners; `buffering` decides whether the element is kept for the first listener when there was none.
    ///
    /// - Returns: Whether the broadcast had a listener.
    @discardableResult
    func announce(_ element: Element, buffering: Bool = true) -> Bool {
        let listeners = state.withLock { state in
            if retainsUntilRemoved || (!state.hasHadListener && buffering) {
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
    func forget(_ shouldRemove: (Element) -> Bool) {
        state.withLock { $0.waiting.removeAll(where: shouldRemove) }
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
