public import PurchaseModel
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: WallClock {
    private let time: Mutex<Timestamp>

    /// Creates a clock that stands at `start`.
    public init(_ start: Timestamp = .testStart) {
        time = Mutex(start)
    }

    /// The time that the clock shows.
    public var now: Timestamp { time.withLock { $0 } }

    /// Moves the clock, back when negative.
    public func advance(seconds: Int64) {
        time.withLock { $0 = $0.adding(seconds: seconds) }
    }

    /// Sets the clock.
    public func set(_ timestamp: Timestamp) {
        time.withLock { $0 = timestamp }
    }
}
