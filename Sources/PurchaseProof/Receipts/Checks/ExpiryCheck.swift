public import PurchaseModel

/// Refuses receipts whose validity has ended; only those of volume purchases end.
public struct ExpiryCheck: ReceiptCheck {
    private let clock: any WallClock

    /// Creates the check with the clock that says what time it is.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// Throws ``Refusal/Reason/expired(_:)`` when attribute 21 is not in the future.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        if let end = payload.expirationDate, end <= clock.now { throw Refusal(.expired(end), at: "receipt.21") }
    }
}
