/// Overloads for transaction identifiers of type `Int`.
///
/// Apple's documentation uses `Int`, and Xcode's header uses `UInt`. The overloads let tests for either type compile.
extension SKTestSession {
    /// Removes a transaction with its renewals and restored copies.
    @_disfavoredOverload
    public func deleteTransaction(identifier: Int) throws {
        try deleteTransaction(identifier: UInt(clamping: identifier))
    }

    /// Refunds a transaction.
    @_disfavoredOverload
    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: UInt(clamping: identifier))
    }

    /// Approves a purchase that waits for a parent's approval.
    @_disfavoredOverload
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try approveAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// Declines a purchase that waits for a parent's approval.
    @_disfavoredOverload
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try declineAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// Resolves the issue of an interrupted purchase, or the billing issue of a subscription's renewal.
    @_disfavoredOverload
    public func resolveIssueForTransaction(identifier: Int) throws {
        try resolveIssueForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Enables auto-renew of a subscription.
    @_disfavoredOverload
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try enableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Disables auto-renew of a subscription.
    @_disfavoredOverload
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try disableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Requests consent to a price increase.
    @_disfavoredOverload
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try requestPriceIncreaseConsentForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Consents to the price increase.
    @_disfavoredOverload
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try consentToPriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Declines the price increase, so that the subscription does not renew.
    @_disfavoredOverload
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try declinePriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }
}
