import PurchaseModel

// Apple's calls take the window scene in which to show a sheet. There are none here: the sheets go to the device's
// ``StoreInterface``, and the calls take nothing.

extension AppStore {
    /// Shows the user's subscriptions, to be cancelled or changed.
    ///
    /// - Throws: ``StoreKitError``.
    @MainActor
    public static func showManageSubscriptions() async throws {
        try await manageSubscriptions(of: nil)
    }

    /// Shows the user's subscriptions of a group, to be cancelled or changed.
    ///
    /// - Throws: ``StoreKitError``.
    @MainActor
    public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
        try await manageSubscriptions(of: subscriptionGroupID)
    }

    /// Asks the user for an offer code; what it buys comes through ``Transaction/updates``.
    ///
    /// - Throws: ``StoreKitError``.
    @MainActor
    public static func presentOfferCodeRedeemSheet() async throws {
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.offerCodeRedeem)
        try await device.redeemOfferCode()
    }

    /// Asks for a rating in the store; there is nobody to ask, so nothing happens.
    @MainActor
    public static func requestReview() {}

    private static func manageSubscriptions(of group: String?) async throws {
        guard let device = Device.active else { throw StoreKitError.noDevice }
        try device.simulatedFailures.check(.manageSubscriptions)
        try await device.manageSubscriptions(of: group)
    }
}
