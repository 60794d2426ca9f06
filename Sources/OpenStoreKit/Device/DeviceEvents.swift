import DequeModule
import Foundation
import PurchaseModel
import StoreProtocol
import Synchronization

/// The broadcasts behind StoreKit 2's asynchronous sequences, such as `Transaction.updates`.
struct DeviceEvents: Sendable {
    /// Transactions that no purchase call returns.
    let updates = Broadcast<SignedTransaction>()
    /// The new states of subscriptions that have changed.
    let statuses = Broadcast<HistoryReply.Status>()
    /// The account's new storefront after each change.
    let storefronts = Broadcast<PurchaseModel.Storefront>()
    /// The promoted in-app purchases that the user began outside the app.
    let promotions = Broadcast<PendingDelivery<PromotedPurchase>>(retainsUntilRemoved: true)
    /// The store's messages for the user.
    let messages = Broadcast<PendingDelivery<StoreMessage>>(retainsUntilRemoved: true)

    /// Removes the transactions, subscription states and storefronts of the previous account that no listener has received.
    func dropUndelivered() {
        updates.forget { _ in true }
        statuses.forget { _ in true }
        storefronts.forget { _ in true }
    }

    /// Ends the streams of all listeners.
    func end() {
        updates.end()
        statuses.end()
        storefronts.end()
        promotions.end()
        messages.end()
    }
}

/// Delivers each element to all listeners, and buffers elements until the first listener arrives.
///
/// The buffer holds up to ``limit`` elements, and drops the oldest first. With `retainsUntilRemoved`, elements stay in the buffer for every
/// new listener until ``forget(_:)`` removes them.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var waiting: Deque<Element> = []
        var hasHadListener = false
        var isEnded = false
    }

    /// The maximum number of buffered elements.
    static var limit: Int { 1_000 }

    private let state = Mutex(State())
    private let retainsUntilRemoved: Bool

    init(retainsUntilRemoved: Bool = false) {
        self.retainsUntilRemoved = retainsUntilRemoved
    }

    /// Returns a stream of elements for a new listener; ``end()`` ends the stream.
    ///
    /// The stream buffers up to ``limit`` elements that the listener has not read, and drops the oldest first.
    func stream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(Self.limit))
        add(continuation)
        return stream
    }

    /// Adds a listener, which first receives the buffered elements.
    ///
    /// - Returns: Whether the listener is the first of this broadcast.
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

    /// Delivers an element to all listeners.
    ///
    /// - Parameter buffering: Whether to buffer the element if the broadcast has never had a listener. A broadcast with
    ///   `retainsUntilRemoved` always buffers.
    /// - Returns: Whether the broadcast has a listener now.
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

    /// The number of current listeners.
    var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// The buffered elements, which the next listener receives first.
    var kept: [Element] { state.withLock { Array($0.waiting) } }

    /// Removes the buffered elements that satisfy a condition.
    func forget(_ shouldRemove: (Element) -> Bool) {
        state.withLock { $0.waiting.removeAll(where: shouldRemove) }
    }

    /// Ends the streams of all listeners.
    func end() {
        let listeners = state.withLock { state in
            state.isEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
