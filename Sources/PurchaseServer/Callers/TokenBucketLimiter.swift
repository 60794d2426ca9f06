package import PurchaseModel
import Synchronization

/// The rate at which one caller may send requests.
public struct RequestRate: Hashable, Sendable {
    /// The sustained number of requests in a second; 0 for no limit.
    public var perSecond: Double
    /// The number of requests that a caller can send at once after a pause.
    public var burst: Double

    /// Creates a rate; with `perSecond` of 0, requests are unlimited.
    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// The rates at which the callers of a server may send requests.
public struct RequestRates: Hashable, Sendable {
    /// The rate of one installation of an app, identified by its customer token, or by its address if the request has no valid token.
    public var installation: RequestRate
    /// The rate of one secret or admin key.
    public var backend: RequestRate

    /// Creates rates; by default, 5 requests per second of an installation, and 2,000 of a backend.
    public init(
        installation: RequestRate = RequestRate(perSecond: 5, burst: 60), backend: RequestRate = RequestRate(perSecond: 2_000, burst: 4_000)
    ) {
        self.installation = installation
        self.backend = backend
    }
}

/// The state of a caller's limit after a request, as response headers state it.
package struct RateLimitState: Hashable, Sendable {
    /// The number of requests that a caller can send at once after a pause.
    package let quota: Int
    /// The seconds in which a caller who sends nothing regains the whole quota.
    package let window: Int
    /// The number of requests that the caller can send now.
    package let remaining: Int
    /// The seconds until the caller has the whole quota again.
    package let reset: Int
    /// The seconds until the next allowed request; nil if the request was allowed.
    package let wait: Int?
}

/// Counts the requests of each caller in a token bucket, in memory.
///
/// The memory is bounded: at its capacity, the limiter discards the buckets of the callers whose last requests are oldest. A caller whose
/// bucket was discarded starts again with a full bucket.
package final class TokenBucketLimiter<Caller: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var date: Timestamp
    }

    private let rate: RequestRate
    private let capacity: Int
    private let buckets = Mutex<[Caller: Bucket]>([:])

    /// Creates a limiter that stores the buckets of at most `capacity` callers.
    package init(_ rate: RequestRate, capacity: Int = 50_000) {
        self.rate = rate
        self.capacity = max(1, capacity)
    }

    /// Counts a request; returns nil for an allowed request, or otherwise the seconds until the next allowed request.
    package func count(_ caller: Caller, at now: Timestamp) -> Int? { state(after: caller, at: now)?.wait }

    /// Counts a request, and returns the state of the caller's limit; nil without a limit.
    package func state(after caller: Caller, at now: Timestamp) -> RateLimitState? {
        guard rate.perSecond > 0 else { return nil }
        return buckets.withLock { buckets in
            if buckets.count >= capacity, buckets[caller] == nil { discard(&buckets) }
            var bucket = buckets[caller] ?? Bucket(tokens: rate.burst, date: now)
            // Add no tokens if the clock was set back.
            let seconds = Double(max(0, now.milliseconds - bucket.date.milliseconds)) / 1_000
            bucket.tokens = min(rate.burst, bucket.tokens + seconds * rate.perSecond)
            bucket.date = max(now, bucket.date)
            defer { buckets[caller] = bucket }
            guard bucket.tokens < 1 else {
                bucket.tokens -= 1
                return state(bucket.tokens, isAllowed: true)
            }
            return state(bucket.tokens, isAllowed: false)
        }
    }

    private func state(_ tokens: Double, isAllowed: Bool) -> RateLimitState {
        /// Returns the seconds in which the bucket regains a number of tokens, rounded up and at most an hour.
        func seconds(_ missing: Double) -> Int { Int(min((max(0, missing) / rate.perSecond).rounded(.up), 3_600)) }
        /// Returns a number of requests, at most a million.
        func number(_ tokens: Double) -> Int { Int(min(max(0, tokens), 1_000_000)) }
        return RateLimitState(
            quota: number(rate.burst), window: max(1, seconds(rate.burst)), remaining: number(tokens), reset: seconds(rate.burst - tokens),
            wait: isAllowed ? nil : seconds(1 - tokens))
    }

    /// Removes the half of the buckets whose last requests are oldest.
    private func discard(_ buckets: inout [Caller: Bucket]) {
        let dates = buckets.values.map(\.date).sorted()
        let middle = dates[dates.count / 2]
        buckets = buckets.filter { $0.value.date > middle }
    }
}
