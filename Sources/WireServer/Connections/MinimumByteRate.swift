import NIOCore
import PurchaseModel

/// A minimum byte rate: a deadline that each byte extends a little, and never beyond the longest permitted stall.
struct MinimumByteRate: Hashable, Sendable {
    private let bytesPerSecond: Double
    private let stall: TimeAmount
    private var transferred = 0
    /// The time of the next check of the rate.
    private(set) var deadline: NIODeadline

    /// Starts to measure at `now`.
    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        bytesPerSecond = Double(max(limits.bytesPerSecond, 1))
        stall = TimeAmount(limits.stall)
        deadline = now + stall
    }

    /// Counts transferred bytes.
    mutating func count(_ bytes: Int) {
        transferred += bytes
    }

    /// Extends the deadline by the transferred bytes, and returns whether the rate was sufficient; called at the deadline or later.
    mutating func extendDeadline(at now: NIODeadline) -> Bool {
        let nanoseconds = min(Double(transferred) / bytesPerSecond * 1e9, Double(stall.nanoseconds) * 2)
        transferred = 0
        deadline = min(deadline + .nanoseconds(Int64(nanoseconds)), now + stall)
        return deadline > now
    }

    /// Excludes a pause in which no byte could be transferred.
    mutating func excludePause(_ pause: TimeAmount) {
        deadline = deadline + pause
    }
}
