public import PurchaseModel

/// Refuses receipts whose validity has ended; only those of volume purchases end.
public struct ExpiryCheck: ReceiptCheck {
    private let clock: any WallClock

    /// Creates the check with the clock that says what time it is.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// Names what is looked at.
    public var name: String { "expiry" }

    /// The rule: the validity goes on.
    public var rule: String { "The receipt's validity has no end, or ends after \(clock.now)." }

    /// The end of the receipt's validity.
    public func saw(_ payload: ReceiptPayload) -> String { payload.expirationDate?.description ?? "no end" }

    /// Throws ``Refusal/Reason/expired(_:)`` when attribute 21 is not in the future.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        if let end = payload.expirationDate, end <= clock.now { throw Refusal(.expired(end), at: "receipt.21") }
    }
}
