import PurchaseModel
import PurchaseTestSupport
import Synchronization

/// A clock that moves by a millisecond whenever it is read, so that no two signatures have the same date.
final class SimulatedClock: WallClock {
    private let time = Mutex(Timestamp.testStart.wholeSeconds.adding(milliseconds: 500))

    var now: Timestamp {
        time.withLock { time in
            time = time.adding(milliseconds: 1)
            return time
        }
    }

    func advance(seconds: Int64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }
}
