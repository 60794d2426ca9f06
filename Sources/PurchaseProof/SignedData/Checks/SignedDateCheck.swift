public import PurchaseModel

/// Refuses signed data that was signed long ago, or in the future.
///
/// The store signs transactions anew for each answer, so old ones were kept by somebody. For what may come late, such as
/// notifications that are sent again for three days, allow as much.
public struct SignedDateCheck: SignedDataCheck {
    /// How far the store's clock may be ahead of ours, in seconds.
    public static let tolerance: Int64 = 60

    private let seconds: Int64
    private let clock: any WallClock

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - seconds: How long ago it may have been signed.
    ///   - clock: Says what time it is.
    public init(within seconds: Int64, clock: any WallClock) {
        self.seconds = seconds
        self.clock = clock
    }

    /// Throws ``Refusal/Reason/tooOld(_:)`` for what was signed too long ago, and ``Refusal/Reason/validity`` for the future.
    public func examine(_ claims: SignedDataClaims) throws(Refusal) {
        let now = clock.now
        guard claims.signedDate.adding(seconds: seconds) >= now else {
            throw Refusal(.tooOld(claims.signedDate), at: "\(claims.datePlace)")
        }
        guard claims.signedDate <= now.adding(seconds: Self.tolerance) else {
            throw Refusal(.validity, at: "\(claims.datePlace)", "It says it was signed in the future.")
        }
    }
}
