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
        let kept = try StoreSettings.time.value(db).map { try WireJSON.decode(StoreTime.self, from: Data($0.utf8)) }
        self.time = Mutex(kept ?? StoreTime(base: base.now))
    }

    var now: Timestamp {
        let base = base.now
        return time.withLock { $0.now(at: base) }
    }

    /// The base clock's time, which other programs on the machine use.
    var machine: Timestamp { base.now }

    /// The speed relative to the base clock; 0 while the time is stopped.
    var factor: Double {
        time.withLock { $0.factor }
    }

    /// The current relation to the base clock.
    var course: StoreTime {
        let base = base.now
        return time.withLock { $0.moved(to: $0.now(at: base), at: base) }
    }

    /// Advances the time in the running database transaction; a time in the past changes nothing.
    func move(to time: Timestamp, _ db: Database) throws {
        guard time > now else { return }
        try keep(self.time.withLock { $0 }.moved(to: time, at: base.now), db)
    }

    /// Sets the speed in the running database transaction; 0 stops the time.
    func run(_ factor: Double, _ db: Database) throws {
        guard let time = time.withLock({ $0 }).running(factor, at: base.now) else { throw StoreError.unusable(field: "factor") }
        try keep(time, db)
    }

    private func keep(_ time: StoreTime, _ db: Database) throws {
        try StoreSettings.time.set(String(decoding: WireJSON.encode(time), as: UTF8.self), db)
        db.afterNextTransaction { _ in self.time.withLock { $0 = time } }
    }
}
