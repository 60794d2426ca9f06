import NIOCore
import PurchaseModel

/// Whether bytes move fast enough: a deadline that every byte puts off a little, and never further than the longest stall.
struct ByteRateFloor: Hashable, Sendable {
    private let bytesPerSecond: Double
    private let stall: TimeAmount
    private var moved = 0
    /// When it is to be asked next whether enough moved.
    private(set) var deadline: NIODeadline

    /// Begins to watch at `now`.
    init(_ limits: ConnectionLimits, at now: NIODeadline) {
        bytesPerSecond = Double(max(limits.bytesPerSecond, 1))
        stall = TimeAmount(limits.stall)
        deadline = now + stall
    }

    /// Counts bytes that moved.
    mutating func count(_ bytes: Int) {
        moved += bytes
    }

    /// Puts off the deadline by what moved, and says whether that was enough to go on; asked at the deadline or later.
    mutating func renew(at now: NIODeadline) -> Bool {
        let nanoseconds = min(Double(moved) / bytesPerSecond * 1e9, Double(stall.nanoseconds) * 2)
        moved = 0
        deadline = min(deadline + .nanoseconds(Int64(nanoseconds)), now + stall)
        return deadline > now
    }

    /// Leaves out a time in which nothing could move.
    mutating func leaveOut(_ pause: TimeAmount) {
        deadline = deadline + pause
    }
}
