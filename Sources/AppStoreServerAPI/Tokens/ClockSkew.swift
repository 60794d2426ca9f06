import PurchaseModel

/// The difference between the local clock and the App Store's clock.
enum ClockSkew {
    /// The difference in milliseconds up to which two clocks count as equal.
    ///
    /// The `Date` header has no fractions of a second, and a response takes some time. The App Store accepts tokens that were signed up to a
    /// minute in the future.
    static let tolerance: Int64 = 60_000

    /// Returns the number of milliseconds by which a time is ahead of another one; negative if it is behind.
    ///
    /// The result is saturated at 2^62, so that it can be negated and subtracted.
    static func milliseconds(of time: Timestamp, aheadOf other: Timestamp) -> Int64 {
        let (difference, overflow) = time.milliseconds.subtractingReportingOverflow(other.milliseconds)
        let limit: Int64 = 1 << 62
        return overflow ? (time < other ? -limit : limit) : min(max(difference, -limit), limit)
    }

    /// Returns whether a difference in milliseconds exceeds ``tolerance``.
    static func isSignificant(_ milliseconds: Int64) -> Bool {
        milliseconds.magnitude > tolerance.magnitude
    }
}
