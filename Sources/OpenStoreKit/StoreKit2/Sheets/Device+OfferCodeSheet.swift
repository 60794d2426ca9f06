extension Device {
    /// Asks the user for an offer code and has the store redeem it; a cancel is no error, as the sheet was shown.
    ///
    /// What was bought comes like other news.
    func redeemOfferCode() async throws(StoreKitError) {
        await engine.ready()
        do throws(PaymentFailure) { try await engine.redeemOfferCode() } catch { throw StoreKitError(error) }
    }
}
