import Foundation
import GRDB
import PurchaseModel
import Synchronization

/// The clock of a store, whose time differs from a base clock by an offset and a speed, and which can be stopped.
final class StoreClock: WallClock {
    private let base: any WallClock
    private let time: Mutex<StoreTime>

    /// Continues the time that the store's database contains, or begins at the base clock's time.
    ///
    /// - Parameter base: The clock on which the store's time is based, usually the machine's clock.
    init(base: any WallClock, _ db: Database) throws {
        self.base = base
        self.time = Mutex(try StoreSettings.time(db) ?? StoreTime(base: base.now))
    }

    var now: Timestamp {
        let base = base.now
        return time.withLock { $0.now(at: base) }
    }

    /// The time of the base clock, usually the machine's clock.
    var systemTime: Timestamp { base.now }

    /// Returns the time of the base clock at which the store's time reaches a date; nil if it never does with the current speed.
    func systemTime(at date: Timestamp) -> Timestamp? { time.withLock { $0.base(at: date) } }

    /// The speed of the store's time relative to the base clock; 0 while the time is stopped.
    var factor: Double {
        time.withLock { $0.factor }
    }

    /// The state of the store's time, with the present as its reference point.
    var snapshot: StoreTime {
        let base = base.now
        return time.withLock { $0.moved(to: $0.now(at: base), at: base) }
    }

    /// Advances the store's time, with effect from the commit of the running database transaction; a time in the past changes nothing.
    func move(to time: Timestamp, _ db: Database) throws {
        guard time > now else { return }
        try store(self.time.withLock { $0 }.moved(to: time, at: base.now), db)
    }

    /// Sets the speed of the store's time, with effect from the commit of the running database transaction; 0 stops the time.
    ///
    /// - Throws: ``StoreError/invalidValue(field:)`` if the speed is negative or too high.
    func setFactor(_ factor: Double, _ db: Database) throws {
        guard let time = time.withLock({ $0 }).settingFactor(factor, at: base.now) else { throw StoreError.invalidValue(field: "factor") }
        try store(time, db)
    }

    private func store(_ time: StoreTime, _ db: Database) throws {
        try StoreSettings.set(time, db)
        db.afterNextTransaction { _ in self.time.withLock { $0 = time } }
    }
}
