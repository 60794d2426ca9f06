public import PurchaseModel

/// Refuses receipts that were made too long ago, for uses that want a fresh one.
///
/// The one who signs has another clock than the one who asks, so an age is only known within a tolerance. A receipt of the
/// future passes: nobody but the store can date one, so it is the asker's clock that is behind.
public struct AgeCheck: ReceiptCheck {
    let seconds: Int64
    let tolerance: Int64
    let clock: any WallClock

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - seconds: How old a receipt may be.
    ///   - tolerance: By how many seconds the two clocks may differ.
    ///   - clock: Says what time it is.
    public init(seconds: Int64, tolerance: Int64 = 60, clock: any WallClock) {
        self.seconds = seconds
        self.tolerance = tolerance
        self.clock = clock
    }

    /// Names what is looked at.
    public var name: String { "age" }

    /// The rule: the receipt is not older than that.
    public var rule: String { "It is at most \(seconds) seconds old, give or take \(tolerance), at \(clock.now)." }

    /// When the receipt was made.
    public func saw(_ payload: ReceiptPayload) -> String { "made \(payload.creationDate)" }

    /// Throws ``Refusal/Reason/tooOld(_:)`` when attribute 12 lies too far back.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        let latest = payload.creationDate.adding(seconds: seconds).adding(seconds: tolerance)
        guard clock.now <= latest else { throw Refusal(.tooOld(payload.creationDate), at: "receipt.12") }
    }
}
