import PurchaseModel

/// The decision which stores have work: those that changed, and those with a due event or a due notification.
///
/// The schedule is in memory, so a store without work needs no access to its database. Dates are those of the stores' base clocks, because
/// a store's time can be stopped, or run fast.
struct StoreWorkSchedule<Store: Hashable & Sendable>: Sendable {
    /// The stores that changed since their work was last determined.
    private var changed: Set<Store> = []
    /// The stores whose work is being processed, and that must not be processed twice at the same time.
    private var busy: Set<Store> = []
    /// The dates of the next work of the stores that have any.
    private var dates: [Store: Timestamp] = [:]

    /// Whether no store has work, now or later.
    var isEmpty: Bool { changed.isEmpty && busy.isEmpty && dates.isEmpty }

    /// Records that a store changed, so that it may have new work.
    mutating func change(_ store: Store) {
        changed.insert(store)
    }

    /// Returns the stores whose work is processed now; each is busy until ``end(_:next:)``.
    ///
    /// - Parameter isReached: Whether a store's base clock has reached a date.
    mutating func begin(isReached: (Store, Timestamp) -> Bool) -> [Store] {
        let due = dates.filter { isReached($0.key, $0.value) }.keys
        let stores = changed.union(due).subtracting(busy)
        changed.subtract(stores)
        busy.formUnion(stores)
        for store in stores { dates[store] = nil }
        return Array(stores)
    }

    /// Forgets the changes so far of a store whose work is being processed, because the date of its next work is determined after them.
    mutating func settle(_ store: Store) {
        if busy.contains(store) { changed.remove(store) }
    }

    /// Records that the work of a store is processed.
    ///
    /// - Parameter next: The date of the store's next work; nil if it has none.
    mutating func end(_ store: Store, next: Timestamp?) {
        guard busy.remove(store) != nil else { return }
        dates[store] = next
    }

    /// Removes a store.
    mutating func remove(_ store: Store) {
        changed.remove(store)
        busy.remove(store)
        dates[store] = nil
    }
}
