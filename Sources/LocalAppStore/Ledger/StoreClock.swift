import GRDB
import PurchaseModel
import Synchronization

/// The store's time: another clock's, and how far the store is ahead of it.
final class StoreClock: WallClock {
    private let base: any WallClock
    private let offset: Mutex<Int64>

    /// Goes on with the offset that the database holds.
    init(base: any WallClock, _ db: Database) throws {
        self.base = base
        self.offset = Mutex(try StoreSettings.clockOffset.value(db).flatMap(Int64.init) ?? 0)
    }

    var now: Timestamp {
        base.now.adding(milliseconds: offset.withLock { $0 })
    }

    /// Moves the time forward with the running database transaction; a time that is past already changes nothing.
    func move(to time: Timestamp, _ db: Database) throws {
        let (offset, overflow) = time.milliseconds.subtractingReportingOverflow(base.now.milliseconds)
        guard !overflow, offset > self.offset.withLock({ $0 }) else { return }
        try StoreSettings.clockOffset.set(String(offset), db)
        db.afterNextTransaction { _ in self.offset.withLock { $0 = offset } }
    }
}
