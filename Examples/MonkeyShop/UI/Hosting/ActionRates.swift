import PurchaseModel
import PurchaseServer
import Synchronization

/// Limits how fast each visitor acts: a bucket of permitted actions that fills at a rate.
final class ActionRates: Sendable {
    private struct Bucket {
        var actions: Double
        var filled: Timestamp
    }

    private let rate: RequestRate
    // reason: the keys are the tokens of present visitors, whose number is limited.
    private let buckets = Mutex<[String: Bucket]>([:])

    init(_ rate: RequestRate) {
        self.rate = rate
    }

    /// Counts an action of a visitor; returns the number of seconds to wait if there were too many, and nil otherwise.
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

    /// Forgets a visitor who has left.
    func remove(_ visitor: String) {
        buckets.withLock { $0[visitor] = nil }
    }
}
