import Foundation
import GRDB
import PurchaseModel
import Synchronization

/// The store's clock: a base clock with an offset and a speed, which can be stopped.
final class StoreClock: WallClock {
    private let base: any WallClock
    private let time: Mutex<StoreTime>

    /// Continues the time that the database stores.
    init(base: any WallClock, _ db: Database) throws {
        self.base = base
        self.time = Mutex(try StoreSettings.time(db) ?? StoreTime(base: base.now))
    }

    var now: Timestamp {
        let base = base.now
        return time.withLock { $0.now(at: base) }
    }

    /// The base clock's time, which other programs on the machine use.
    var systemTime: Timestamp { base.now }

    /// The speed relative to the base clock; 0 while the time is stopped.
    var factor: Double {
        time.withLock { $0.factor }
    }

    /// The current relation to the base clock.
    var snapshot: StoreTime {
        let base = base.now
        return time.withLock { $0.moved(to: $0.now(at: base), at: base) }
    }

    /// Advances the time in the running database transaction; a time in the past changes nothing.
    func move(to time: Timestamp, _ db: Database) throws {
        guard time > now else { return }
        try store(self.time.withLock { $0 }.moved(to: time, at: base.now), db)
    }

    /// Sets the speed in the running database transaction; 0 stops the time.
    func setFactor(_ factor: Double, _ db: Database) throws {
        guard let time = time.withLock({ $0 }).settingFactor(factor, at: base.now) else { throw StoreError.invalidValue(field: "factor") }
        try store(time, db)
    }

    private func store(_ time: StoreTime, _ db: Database) throws {
        try StoreSettings.set(time, db)
        db.afterNextTransaction { _ in self.time.withLock { $0 = time } }
    }
}
