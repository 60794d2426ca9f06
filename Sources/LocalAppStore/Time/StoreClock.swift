import Foundation
import GRDB
import PurchaseModel
import Synchronization

/// The store's time: another clock's, moved, stopped or made faster.
final class StoreClock: WallClock {
    private let base: any WallClock
    private let time: Mutex<StoreTime>

    /// Goes on with the time that the database holds.
    init(base: any WallClock, _ db: Database) throws {
        self.base = base
        let kept = try StoreSettings.time.value(db).map { try WireJSON.decode(StoreTime.self, from: Data($0.utf8)) }
        self.time = Mutex(kept ?? StoreTime(base: base.now))
    }

    var now: Timestamp {
        let base = base.now
        return time.withLock { $0.now(at: base) }
    }

    /// The other clock's time, by which the machine's other programs go.
    var machine: Timestamp { base.now }

    /// How much faster than the machine's clock it goes; 0 while it stands still.
    var factor: Double {
        time.withLock { $0.factor }
    }

    /// How the time goes, from now on.
    var course: StoreTime {
        let base = base.now
        return time.withLock { $0.moved(to: $0.now(at: base), at: base) }
    }

    /// Moves the time forward with the running database transaction; a time that is past already changes nothing.
    func move(to time: Timestamp, _ db: Database) throws {
        guard time > now else { return }
        try keep(self.time.withLock { $0 }.moved(to: time, at: base.now), db)
    }

    /// Makes it go at another speed, 0 stopping it, with the running database transaction.
    func run(_ factor: Double, _ db: Database) throws {
        guard let time = time.withLock({ $0 }).running(factor, at: base.now) else { throw StoreError.unusable(field: "factor") }
        try keep(time, db)
    }

    private func keep(_ time: StoreTime, _ db: Database) throws {
        try StoreSettings.time.set(String(decoding: WireJSON.encode(time), as: UTF8.self), db)
        db.afterNextTransaction { _ in self.time.withLock { $0 = time } }
    }
}
