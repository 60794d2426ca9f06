import Synchronization

/// The stores that ``StoreTicker`` is processing, so that it does not process a store twice at the same time.
final class BusyStores: Sendable {
    private let stores = Mutex<Set<ObjectIdentifier>>([])

    /// Marks a store as busy; returns false if the store is already busy.
    func begin(_ store: LocalAppStore) -> Bool {
        stores.withLock { $0.insert(ObjectIdentifier(store)).inserted }
    }

    /// Marks a store as no longer busy.
    func end(_ store: LocalAppStore) {
        stores.withLock { _ = $0.remove(ObjectIdentifier(store)) }
    }
}
