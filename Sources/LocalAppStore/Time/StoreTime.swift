import PurchaseModel

/// How a store's time follows another clock's: from a point where both are known, at some speed.
struct StoreTime: Codable, Hashable, Sendable {
    /// The fastest that time can go: a year in about half a minute.
    static let fastest = 1_000_000.0

    /// The times that a store can show: from the year of the first App Store to ten years before the last one in which the store's
    /// certificates can be verified.
    static let range = Timestamp(milliseconds: 1_199_145_600_000)...Timestamp(milliseconds: 3_786_912_000_000)

    /// The other clock's time at the point.
    private(set) var base: Timestamp
    /// The store's time at the point.
    private(set) var store: Timestamp
    /// How much faster than the other clock the store's time goes; 0 while it stands still.
    private(set) var factor: Double

    /// Time that goes with the other clock's.
    init(base: Timestamp) {
        self.base = base
        self.store = base
        self.factor = 1
    }

    /// The store's time when the other clock shows `base`.
    func now(at base: Timestamp) -> Timestamp {
        let passed: Int64
        if factor == 1 {
            let (difference, overflow) = base.milliseconds.subtractingReportingOverflow(self.base.milliseconds)
            passed = overflow ? 0 : difference
        } else {
            let difference = (Double(base.milliseconds) - Double(self.base.milliseconds)) * factor
            passed = Int64(exactly: difference.rounded(.down)) ?? 0
        }
        // Time that has come to its end stands still there.
        return min(store.adding(milliseconds: passed), max(store, Self.range.upperBound))
    }

    /// Whether its numbers are ones that a store writes.
    var isPlausible: Bool {
        Self.range.contains(base) && Self.range.contains(store) && (0...Self.fastest).contains(factor)
    }

    /// The same speed from another point; the store's time never goes back.
    func moved(to store: Timestamp, at base: Timestamp) -> StoreTime {
        var moved = self
        moved.store = max(min(store, Self.range.upperBound), now(at: base))
        moved.base = base
        return moved
    }

    /// The same course when it was interrupted, and goes on where it was.
    func resumed(at base: Timestamp) -> StoreTime {
        var resumed = self
        resumed.base = base
        return resumed
    }

    /// Another speed from now on; nil when it is none from 0 to ``fastest``.
    func running(_ factor: Double, at base: Timestamp) -> StoreTime? {
        guard factor >= 0, factor <= Self.fastest else { return nil }
        var changed = moved(to: now(at: base), at: base)
        changed.factor = factor
        return changed
    }
}
