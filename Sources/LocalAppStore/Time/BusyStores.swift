import Synchronization

/// The stores that are at work in the background, so that none is twice.
final class BusyStores: Sendable {
    private let stores = Mutex<Set<ObjectIdentifier>>([])

    /// Says that a store begins; false when it is at work already.
    func begin(_ store: LocalAppStore) -> Bool {
        stores.withLock { $0.insert(ObjectIdentifier(store)).inserted }
    }

    /// Says that a store is done.
    func end(_ store: LocalAppStore) {
        stores.withLock { _ = $0.remove(ObjectIdentifier(store)) }
    }
}
