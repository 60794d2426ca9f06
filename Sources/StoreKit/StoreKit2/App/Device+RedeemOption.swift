public import OpenStoreKit

extension Device {
    /// Asks the user for an offer code, redeems it in the store, and returns the transaction; replaces
    /// `AppStore.presentOfferCodeRedeemSheet(from:options:)`.
    ///
    /// `Transaction.updates` delivers the transaction, too.
    ///
    /// - Parameter options: The options of the redemption; StoreKit has none yet.
    /// - Throws: ``StoreKitError/userCancelled`` if the user closed the sheet or if the purchase waits for a parent's approval, and
    ///   `PaymentFailure` with the reason why the code was not redeemed.
    @discardableResult
    public func redeemOfferCode(options: Set<RedeemOption>) async throws -> VerificationResult<Transaction> {
        switch try await offerCodeRedemption() {
        case .canceled, .deferred: throw StoreKitError.userCancelled
        case .redeemed(let signed):
            guard let result = await transaction(signed) else { throw StoreKitError.systemError(UnreadableTransaction()) }
            return result
        }
    }
}
