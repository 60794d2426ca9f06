public import PurchaseModel

/// Refuses data that is older than a maximum age.
///
/// The clocks of the signer and of the verifier can differ, so the check adds a tolerance to the maximum age. Data with a date in the
/// future passes, because a signed date in the future shows only that the verifier's clock is behind.
public struct AgeCheck: ReceiptCheck, TransactionReceiptCheck, SignedDataCheck {
    private let seconds: Int64
    private let tolerance: Int64
    private let clock: any WallClock

    /// Creates a check with a maximum age.
    ///
    /// - Parameters:
    ///   - seconds: The maximum age in seconds.
    ///   - tolerance: The maximum difference between the clocks of the signer and of the verifier, in seconds.
    ///   - clock: The source of the current time.
    public init(seconds: Int64, tolerance: Int64 = 60, clock: any WallClock) {
        self.seconds = seconds
        self.tolerance = tolerance
        self.clock = clock
    }

    /// The name of the check in explanations: `age`.
    public var name: String { "age" }

    /// The rule that the data must not be older than the maximum age, as a sentence for explanations.
    public var rule: String { "The data must be at most \(seconds) seconds old at \(clock.now), with a tolerance of \(tolerance) seconds." }

    /// Returns the creation date of the receipt as text.
    public func observed(in receipt: AuthenticReceipt) -> String { "created \(receipt.payload.creationDate)" }

    /// Returns the purchase date of the transaction receipt as text.
    public func observed(in receipt: AuthenticTransactionReceipt) -> String { "purchased \(receipt.payload.purchaseDate)" }

    /// Returns the time of signing as text.
    public func observed(in data: AuthenticSignedData) -> String { "signed \(data.claims.signedDate)" }

    /// Checks that the creation date of the receipt is within the maximum age.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/tooOld(_:)`` when the receipt is older than the maximum age.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.creationDate, at: "receipt.12")
    }

    /// Checks that the purchase date of the transaction receipt is within the maximum age.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/tooOld(_:)`` when the purchase is older than the maximum age.
    public func examine(_ receipt: AuthenticTransactionReceipt) throws(VerificationFailure) {
        try examine(receipt.payload.purchaseDate, at: "purchase-info.purchase-date")
    }

    /// Checks that the time of signing is within the maximum age.
    ///
    /// The App Store signs a transaction for each response again, so a transaction with an old signature is a stored copy. A genuine
    /// notification can be old, because the App Store sends a notification again for days until the server responds.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/tooOld(_:)`` when the signature is older than the maximum age.
    public func examine(_ data: AuthenticSignedData) throws(VerificationFailure) {
        try examine(data.claims.signedDate, at: data.claims.signedDatePlace)
    }

    private func examine(_ date: Timestamp, at place: String) throws(VerificationFailure) {
        guard clock.now <= date.adding(seconds: seconds).adding(seconds: tolerance) else {
            throw .refused(Refusal(.tooOld(date), at: place))
        }
    }
}

/// Refuses app receipts that have expired.
///
/// Only receipts of apps from the Volume Purchase Program have an expiration date that passes.
public struct ExpiryCheck: ReceiptCheck {
    private let clock: any WallClock

    /// Creates a check that compares expiration dates with the time of a clock.
    public init(clock: any WallClock) {
        self.clock = clock
    }

    /// The name of the check in explanations: `expiry`.
    public var name: String { "expiry" }

    /// The rule that the receipt must not have expired, as a sentence for explanations.
    public var rule: String { "The receipt must have no expiration date, or one after the current time, \(clock.now)." }

    /// Returns the expiration date of the receipt as text, or `no expiration date`.
    public func observed(in receipt: AuthenticReceipt) -> String {
        receipt.payload.expirationDate?.description ?? "no expiration date"
    }

    /// Checks that the receipt has no expiration date (attribute 21), or one in the future.
    ///
    /// - Throws: A refusal with ``Refusal/Reason/expired(_:)`` when the receipt has expired.
    public func examine(_ receipt: AuthenticReceipt) throws(VerificationFailure) {
        guard let end = receipt.payload.expirationDate, end <= clock.now else { return }
        throw .refused(Refusal(.expired(end), at: "receipt.21"))
    }
}
