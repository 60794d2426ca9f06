import PurchaseModel
import PurchaseServer
import Synchronization

/// Limits the rate of each visitor's actions with a token bucket.
final class ActionRates: Sendable {
    private struct Bucket {
        var actions: Double
        var filled: Timestamp
    }

    private let rate: RequestRate
    // reason: the keys are the tokens of current visitors, whose number is limited.
    private let buckets = Mutex<[String: Bucket]>([:])

    init(_ rate: RequestRate) {
        self.rate = rate
    }

    /// Counts an action of a visitor; returns the seconds to wait if the rate is exceeded, otherwise nil.
    func count(_ visitor: String, at now: Timestamp) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[visitor] ?? Bucket(actions: Double(rate.burst), filled: now)
            let seconds = max(Double(now.milliseconds(since: bucket.filled)) / 1_000, 0)
            bucket.actions = min(bucket.actions + seconds * Double(rate.perSecond), Double(rate.burst))
            bucket.filled = now
            defer { buckets[visitor] = bucket }
            guard bucket.actions < 1 else {
                bucket.actions -= 1
                return nil
            }
            return max(Int(((1 - bucket.actions) / max(Double(rate.perSecond), 1)).rounded(.up)), 1)
        }
    }

    /// Removes the bucket of a visitor who has left.
    func remove(_ visitor: String) {
        buckets.withLock { $0[visitor] = nil }
    }
}
