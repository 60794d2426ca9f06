import Foundation
import FoundationExtras
import GRDB
import PrivateFiles
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

    /// Returns the time of the base clock at which the store's time reaches a date; nil if it never does with the current speed.
    func base(at date: Timestamp) -> Timestamp? {
        guard date > store else { return base }
        guard factor > 0, date <= Self.range.upperBound else { return nil }
        let distance = (Double(date.milliseconds) - Double(store.milliseconds)) / factor
        guard let passed = Int64(exactly: distance.rounded(.up)) else { return nil }
        let (milliseconds, overflow) = base.milliseconds.addingReportingOverflow(passed)
        return overflow ? nil : Timestamp(milliseconds: milliseconds)
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

/// The format in which the database stores a store's time: JSON in the setting `time`.
struct StoreTimeRecord: StoredRecord {
    static let currentVersion = 1

    let version: Int
    let base: Timestamp
    let store: Timestamp
    let factor: Double

    init(_ time: StoreTime) {
        version = Self.currentVersion
        base = time.base
        store = time.store
        factor = time.factor
    }

    /// Returns the stored time, whose values are not validated; see ``StoreTime/isValid``.
    ///
    /// - Throws: ``UnreadableRecord`` for an unknown version.
    func value() throws -> StoreTime {
        try checkVersion()
        return StoreTime(base: base, store: store, factor: factor)
    }
}

extension StoreSettings {
    /// Returns the store's time; nil if it was never advanced, stopped or accelerated.
    static func time(_ db: Database) throws -> StoreTime? {
        try time.value(db).map { try WireJSON.decode(StoreTimeRecord.self, from: Data($0.utf8)).value() }
    }

    /// Saves the state of the store's time.
    static func set(_ time: StoreTime, _ db: Database) throws {
        try Self.time.set(String(decoding: WireJSON.encode(StoreTimeRecord(time)), as: UTF8.self), db)
    }
}
