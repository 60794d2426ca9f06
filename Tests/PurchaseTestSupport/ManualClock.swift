public import PurchaseModel
import Synchronization

/// A clock that changes only when a test moves it.
public final class ManualClock: WallClock {
    private let time: Mutex<Timestamp>

    /// Creates a clock that shows `start`.
    public init(_ start: Timestamp = .testStart) {
        time = Mutex(start)
    }

    /// The clock's current time.
    public var now: Timestamp { time.withLock { $0 } }

    /// Moves the clock by a number of seconds; back if negative.
    public func advance(seconds: Int64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Sets the clock's time.
    public func set(_ timestamp: Timestamp) {
        time.withLock { $0 = timestamp }
    }
}
