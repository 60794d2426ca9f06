public import PurchaseModel
public import StoreProtocol
import Wire

/// Changes of subscriptions, which each transaction identifier of the subscription names.
///
/// Each method returns the changed subscription, and throws `refused` with the code `transaction.unknown` for a transaction that does not
/// exist or belongs to no subscription.
extension StoreClient {
    /// Lists the subscriptions of an account, in the order of their purchases.
    ///
    /// - Parameter account: The account name.
    /// - Returns: The subscriptions with their status and renewal info.
    /// - Throws: `refused` with the code `account.unknown` for an account that does not exist.
    public func subscriptions(of account: AccountID) async throws(StoreControlError) -> [SubscriptionDescription] {
        try await call(ControlEndpoints.subscriptions, ["account": account.rawValue]).subscriptions
    }

    /// Enables or disables auto-renew, as the customer does.
    ///
    /// - Parameters:
    ///   - isEnabled: Whether the subscription renews at the end of its period.
    ///   - transaction: The original transaction identifier.
    /// - Returns: The changed subscription.
    @discardableResult
    public func setAutoRenew(
        isEnabled: Bool, of transaction: TransactionID
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(isEnabled ? .enableAutoRenew : .disableAutoRenew), on: transaction)
    }

    /// Withdraws a pending change to another product, as the customer does.
    ///
    /// - Parameter transaction: The original transaction identifier.
    /// - Returns: The changed subscription.
    @discardableResult
    public func cancelChange(of transaction: TransactionID) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.cancelChange), on: transaction)
    }

    /// Ends the current period now and starts the next one, without a change of the store's time.
    ///
    /// - Parameter transaction: The original transaction identifier.
    /// - Returns: The changed subscription.
    @discardableResult
    public func renew(_ transaction: TransactionID) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.renew), on: transaction)
    }

    /// Charges the next renewal now; the current period continues until its end.
    ///
    /// - Parameter transaction: The original transaction identifier.
    /// - Returns: The changed subscription.
    /// - Throws: `refused` with the code `subscription.not-charged-ahead` if the period ends later than in 24 hours, or would not renew.
    @discardableResult
    public func chargeAhead(_ transaction: TransactionID) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.chargeAhead), on: transaction)
    }

    /// Expires a subscription now.
    ///
    /// - Parameter transaction: The original transaction identifier.
    /// - Returns: The expired subscription.
    @discardableResult
    public func expire(_ transaction: TransactionID) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.expire), on: transaction)
    }

    /// Increases the price of a subscription.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - price: The new price of a period, in thousandths of the currency unit; nil for the current price.
    ///   - requiresConsent: Whether the subscription expires unless the customer consents.
    /// - Returns: The changed subscription.
    @discardableResult
    public func increasePrice(
        of transaction: TransactionID, to price: Int64? = nil, requiresConsent: Bool
    ) async throws(StoreControlError) -> SubscriptionDescription {
        let action: SubscriptionRequest.Action = requiresConsent ? .increasePriceWithConsent : .increasePriceWithoutConsent
        return try await perform(SubscriptionRequest(action, price: price), on: transaction)
    }

    /// Answers a price increase that requires consent, as the customer does.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - consents: Whether the customer consents; otherwise the customer declines.
    /// - Returns: The changed subscription.
    @discardableResult
    public func answerPriceIncrease(
        of transaction: TransactionID, consents: Bool
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(consents ? .consentToPriceIncrease : .declinePriceIncrease), on: transaction)
    }

    /// Extends the renewal date, as at the request of the developer's server.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - days: The number of days, from 1 to 90.
    /// - Returns: The changed subscription.
    /// - Throws: `refused` with the code `subscription.not-extended` if the App Store would refuse the extension.
    @discardableResult
    public func extendRenewalDate(
        of transaction: TransactionID, days: Int
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.extend, days: days), on: transaction)
    }

    /// Sets the number of seats with which a subscription renews, as the customer does.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - seats: The number of seats, from 1 to the number that the customer has.
    /// - Returns: The changed subscription.
    /// - Throws: `refused` with the code `seats.invalid-renewal` for another number, and with `seats.none` for a subscription without seats.
    @discardableResult
    public func setRenewalSeats(
        of transaction: TransactionID, to seats: Int
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.setRenewalSeats, seats: seats), on: transaction)
    }

    /// Moves a subscription into a bundle, as a customer does who buys the bundle.
    ///
    /// The running period is revoked with the `revocationReason` 2, and the bundle's first period begins.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - bundle: The product identifier of the bundle, which need not be in the catalog.
    ///   - group: The subscription group of the bundle; nil for a group that the store chooses.
    /// - Returns: The changed subscription.
    /// - Throws: `refused` with the code `subscription.not-bundled` if the subscription cannot move into a bundle.
    @discardableResult
    public func joinBundle(
        _ transaction: TransactionID, _ bundle: ProductID, group: SubscriptionGroupID? = nil
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(.joinBundle(bundle, group: group), on: transaction)
    }

    /// Plans that a subscription leaves its bundle at the end of the period.
    ///
    /// - Parameters:
    ///   - transaction: The original transaction identifier.
    ///   - expires: Whether the subscription expires with the `expirationIntent` 6, instead of renewing alone.
    /// - Returns: The changed subscription.
    /// - Throws: `refused` with the code `subscription.no-bundle` for a subscription that is not active in a bundle.
    @discardableResult
    public func leaveBundle(
        _ transaction: TransactionID, expires: Bool = false
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(.leaveBundle(expires: expires), on: transaction)
    }

    /// Cancels the plan that a subscription leaves its bundle.
    ///
    /// - Throws: `refused` with the code `subscription.no-bundle` for a subscription that is not active in a bundle.
    @discardableResult
    public func stayInBundle(_ transaction: TransactionID) async throws(StoreControlError) -> SubscriptionDescription {
        try await perform(SubscriptionRequest(.stayInBundle), on: transaction)
    }

    private func perform(
        _ request: SubscriptionRequest, on transaction: TransactionID
    ) async throws(StoreControlError) -> SubscriptionDescription {
        try await call(ControlEndpoints.changeSubscription, request, ["transaction": transaction.rawValue])
    }
}
