import PurchaseModel
import Synchronization

/// The stores of a host that have work for ``StoreTicker``; see ``StoreWorkSchedule``.
final class StoreWorkQueue: Sendable {
    private struct Member {
        weak var store: LocalAppStore?
    }

    private struct State {
        var members: [ObjectIdentifier: Member] = [:]
        var schedule = StoreWorkSchedule<ObjectIdentifier>()
    }

    private let state = Mutex(State())

    init(_ stores: [LocalAppStore] = []) {
        for store in stores { add(store) }
    }

    /// Adds a store, whose database may contain work.
    func add(_ store: LocalAppStore) {
        let id = ObjectIdentifier(store)
        state.withLock { state in
            state.members[id] = Member(store: store)
            state.schedule.change(id)
        }
        store.context.changes.listen { [weak self] in self?.change(id) }
    }

    private func change(_ id: ObjectIdentifier) {
        state.withLock { state in
            if state.members[id] != nil { state.schedule.change(id) }
        }
    }

    /// Removes a store that the host no longer has.
    func remove(_ store: LocalAppStore) {
        let id = ObjectIdentifier(store)
        state.withLock { state in
            state.members[id] = nil
            state.schedule.remove(id)
        }
    }

    /// Returns the stores that have work now; the caller calls ``end(_:next:)`` or ``retry(_:)`` for each of them.
    func begin() -> [LocalAppStore] {
        state.withLock { state in
            let members = state.members
            let ids = state.schedule.begin { id, date in members[id]?.store.map { $0.context.clock.systemTime >= date } ?? true }
            return ids.compactMap { id in
                if let store = members[id]?.store { return store }
                state.members[id] = nil
                state.schedule.remove(id)
                return nil
            }
        }
    }

    /// Forgets the changes of a store so far, before the caller reads the date of the store's next work.
    func settle(_ store: LocalAppStore) {
        state.withLock { $0.schedule.settle(ObjectIdentifier(store)) }
    }

    /// Records that the work of a store is processed, with the date of its next work in the store's time; nil if it has none.
    func end(_ store: LocalAppStore, next: Timestamp?) {
        let date = next.flatMap { store.context.clock.systemTime(at: $0) }
        state.withLock { $0.schedule.end(ObjectIdentifier(store), next: date) }
    }

    /// Records that a store still has work, which its next turn continues or tries again.
    func retry(_ store: LocalAppStore) {
        let id = ObjectIdentifier(store)
        state.withLock { state in
            state.schedule.end(id, next: nil)
            if state.members[id] != nil { state.schedule.change(id) }
        }
    }

    /// Whether no store has work, now or later.
    var isEmpty: Bool { state.withLock { $0.schedule.isEmpty } }
}

/// The announcement of a store's commits, after which the store may have new work.
final class StoreChanges: Sendable {
    private let listeners = Mutex<[@Sendable () -> Void]>([])

    /// Adds a closure that runs after each commit.
    func listen(_ listener: @escaping @Sendable () -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    /// Runs the closures of all listeners.
    func announce() {
        for listener in listeners.withLock({ $0 }) { listener() }
    }
}
