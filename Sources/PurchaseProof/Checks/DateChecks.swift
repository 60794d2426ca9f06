public import PurchaseModel

/// Refuses data that was signed too long ago.
///
/// The clocks of signer and verifier differ, so the age is known within a tolerance only. Data with a date in the future passes: only
/// the store can date it, so the verifier's clock is slow.
public struct AgeCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let seconds: Int64
    private let tolerance: Int64
    private let clock: any WallClock

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - seconds: The maximum age.
    ///   - tolerance: The maximum difference of the two clocks in seconds.
    ///   - clock: The source of the current time.
    public init(seconds: Int64, tolerance: Int64 = 60, clock: any WallClock) {
        self.seconds = seconds
        self.tolerance = tolerance
        self.clock = clock
    }

    /// `age`.
    public var name: String { "age" }

    /// The data is not older than the maximum age.
    public var rule: String { "The data is at most \(seconds) seconds old at \(clock.now), with a tolerance of \(tolerance) seconds." }

    /// The creation date of the receipt.
    public func observed(in receipt: AuthenticReceipt) -> String { "created \(receipt.payload.creationDate)" }

    /// The purchase date of the receipt.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { "purchased \(receipt.payload.purchaseDate)" }

    /// The time of signing.
    public func observed(in data: AuthenticSignedData) -> String { "signed \(data.claims.signedDate)" }

    /// Throws ``Refusal/Reason/tooOld(_:)`` when the receipt is older than the maximum age.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.creationDate, at: "receipt.12")
    }

    /// Throws ``Refusal/Reason/tooOld(_:)`` when the purchase is older than the maximum age.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.purchaseDate, at: "purchase-info.purchase-date")
    }

    /// Throws ``Refusal/Reason/tooOld(_:)`` when the data was signed longer ago than the maximum age.
    ///
    /// The App Store signs transactions for each response, so an old one is a stored copy. Notifications can be late: the App Store
    /// retries them for days.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        try examine(data.claims.signedDate, at: data.claims.signedDatePlace)
    }

    private func examine(_ date: Timestamp, at place: String) throws(VerificationFailure) {
        guard clock.now <= date.adding(seconds: seconds).adding(seconds: tolerance) else {
            throw .refused(Refusal(.tooOld(date), at: place))
        }
    }
}

/// Refuses receipts that have expired.
///
/// Only receipts of volume purchases expire.
public struct ExpiryCheck: ReceiptCheck {
    private let clock: any WallClock

    /// Creates the check with the source of the current time.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// `expiry`.
    public var name: String { "expiry" }

    /// The receipt has not expired.
    public var rule: String { "The receipt has no expiration date, or one after \(clock.now)." }

    /// The expiration date of the receipt.
    public func observed(in receipt: AuthenticReceipt) -> String {
        receipt.payload.expirationDate?.description ?? "no expiration date"
    }

    /// Throws ``Refusal/Reason/expired(_:)`` when attribute 21 is not in the future.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        guard let end = receipt.payload.expirationDate, end <= clock.now else { return }
        throw .refused(Refusal(.expired(end), at: "receipt.21"))
    }
}
