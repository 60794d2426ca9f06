import NIOCore

/// Checks that the bytes of a request or of a response are transferred at a minimum rate.
///
/// Each transferred byte extends a deadline by the time that the byte takes at `ConnectionLimits.bytesPerSecond`. The deadline is never
/// more than `ConnectionLimits.stall` in the future.
struct MinimumByteRate: Hashable, Sendable {
    private let bytesPerSecond: Double
    private let stall: TimeAmount
    private var transferred = 0
    /// The time at which the rate must be checked next.
    private(set) var deadline: NIODeadline

    /// Creates a check that measures the rate from `now`.
    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        bytesPerSecond = Double(max(limits.bytesPerSecond, 1))
        stall = TimeAmount(limits.stall)
        deadline = now + stall
    }

    /// Counts a number of transferred bytes.
    mutating func count(_ bytes: Int) {
        transferred += bytes
    }

    /// Extends the deadline according to the transferred bytes, and returns whether the rate was sufficient.
    ///
    /// The caller checks the rate at the deadline or later.
    mutating func extendDeadline(at now: NIODeadline) -> Bool {
        let nanoseconds = min(Double(transferred) / bytesPerSecond * 1e9, Double(stall.nanoseconds) * 2)
        transferred = 0
        deadline = min(deadline + .nanoseconds(Int64(nanoseconds)), now + stall)
        return deadline > now
    }

    /// Extends the deadline by a pause in which no byte could be transferred.
    mutating func excludePause(_ pause: TimeAmount) {
        deadline = deadline + pause
    }
}
