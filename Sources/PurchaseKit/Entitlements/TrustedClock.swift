import PurchaseModel
import Synchronization

/// The current time, which is never earlier than the dates in signed data of the App Store and the server.
///
/// A device's clock can be set back to extend a subscription, so the time continues from the latest signed date with the monotonic clock.
final class TrustedClock: Sendable {
    private struct Floor {
        var date: Timestamp
        var instant: ContinuousClock.Instant

        func now(at other: ContinuousClock.Instant) -> Timestamp {
            let (seconds, attoseconds) = (other - instant).components
            return date.adding(seconds: seconds).adding(milliseconds: attoseconds / 1_000_000_000_000_000)
        }
    }

    /// The maximum number of seconds by which the device's clock can be slow before the kit reports that the clock was set back.
    private static let tolerance: Int64 = 300

    private let wallClock: any WallClock
    private let floor = Mutex<Floor?>(nil)

    init(_ wallClock: any WallClock) {
        self.wallClock = wallClock
    }

    /// Raises the minimum of the current time to a date in signed data of the App Store or the server.
    func raise(to date: Timestamp) {
        let instant = ContinuousClock.now
        floor.withLock { floor in
            guard floor.map({ $0.now(at: instant) < date }) ?? true else { return }
            floor = Floor(date: date, instant: instant)
        }
    }

    /// The device's time, or the latest recorded date plus the time since its recording, whichever is later.
    var now: Timestamp {
        let instant = ContinuousClock.now
        let date = floor.withLock { $0?.now(at: instant) }
        return max(wallClock.now, date ?? wallClock.now)
    }

    /// Whether the device's clock is earlier than the recorded dates allow.
    var isSetBack: Bool {
        let instant = ContinuousClock.now
        guard let date = floor.withLock({ $0?.now(at: instant) }) else { return false }
        return wallClock.now.adding(seconds: Self.tolerance) < date
    }
}
