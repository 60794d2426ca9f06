import PurchaseModel

/// The state of a store's time relative to a base clock: a reference point in both times, and a speed.
///
/// The store's database contains the state as a ``StoreTimeRecord``.
struct StoreTime: Hashable, Sendable {
    /// The maximum speed of a store's time relative to the base clock, at which a year passes in about half a minute.
    static let maximumFactor = 1_000_000.0

    /// The valid range of a store's time.
    ///
    /// The range begins in 2008, the year in which the App Store opened, and ends ten years before the last year in which the store's
    /// certificates can be verified.
    static let range = Timestamp(milliseconds: 1_199_145_600_000)...Timestamp(milliseconds: 3_786_912_000_000)

    /// The time of the base clock at the reference point.
    private(set) var base: Timestamp
    /// The store's time at the reference point.
    private(set) var store: Timestamp
    /// The speed of the store's time relative to the base clock; 0 while the time is stopped.
    private(set) var factor: Double

    /// Creates a time that equals the base clock's time.
    init(base: Timestamp) {
        self.base = base
        self.store = base
        self.factor = 1
    }

    /// Creates a time from stored values, which are not validated; see ``isValid``.
    init(base: Timestamp, store: Timestamp, factor: Double) {
        self.base = base
        self.store = store
        self.factor = factor
    }

    /// Returns the store's time at the time `base` of the base clock.
    func now(at base: Timestamp) -> Timestamp {
        let passed: Int64
        if factor == 1 {
            let (difference, overflow) = base.milliseconds.subtractingReportingOverflow(self.base.milliseconds)
            passed = overflow ? 0 : difference
        } else {
            let difference = (Double(base.milliseconds) - Double(self.base.milliseconds)) * factor
            passed = Int64(exactly: difference.rounded(.down)) ?? 0
        }
        // The store's time stops at the end of its range.
        return min(store.adding(milliseconds: passed), max(store, Self.range.upperBound))
    }

    /// Whether the reference point and the speed are in their valid ranges.
    var isValid: Bool {
        Self.range.contains(base) && Self.range.contains(store) && (0...Self.maximumFactor).contains(factor)
    }

    /// Returns a time with the same speed and another reference point; the store's time never goes back.
    func moved(to store: Timestamp, at base: Timestamp) -> StoreTime {
        var moved = self
        moved.store = max(min(store, Self.range.upperBound), now(at: base))
        moved.base = base
        return moved
    }

    /// Returns a time that continues from its reference point at the time `base` of the base clock.
    ///
    /// The store's time therefore does not pass while the store is not open.
    func resumed(at base: Timestamp) -> StoreTime {
        var resumed = self
        resumed.base = base
        return resumed
    }

    /// Returns a time with another speed from `base` on; nil if the speed is not between 0 and ``maximumFactor``.
    func settingFactor(_ factor: Double, at base: Timestamp) -> StoreTime? {
        guard factor >= 0, factor <= Self.maximumFactor else { return nil }
        var changed = moved(to: now(at: base), at: base)
        changed.factor = factor
        return changed
    }
}
