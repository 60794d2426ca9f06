/// Overloads for transaction identifiers of type `Int`.
///
/// Apple's documentation declares the parameter as `Int`, and Xcode's header as `UInt`. With the overloads, tests with either type compile.
extension SKTestSession {
    /// Deletes the purchase of a transaction, with all its renewals and restored transactions.
    @_disfavoredOverload
    public func deleteTransaction(identifier: Int) throws {
        try deleteTransaction(identifier: UInt(clamping: identifier))
    }

    /// Refunds the transaction with an identifier.
    @_disfavoredOverload
    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: UInt(clamping: identifier))
    }

    /// Approves a purchase that is pending a parent's approval (Ask to Buy).
    @_disfavoredOverload
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try approveAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// Declines a purchase that is pending a parent's approval (Ask to Buy).
    @_disfavoredOverload
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try declineAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// Resolves the issue of an interrupted purchase, or the billing issue of a subscription renewal.
    @_disfavoredOverload
    public func resolveIssueForTransaction(identifier: Int) throws {
        try resolveIssueForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Enables auto-renew of the subscription to which a transaction belongs.
    @_disfavoredOverload
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try enableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Disables auto-renew of the subscription to which a transaction belongs.
    @_disfavoredOverload
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try disableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Simulates a price increase of a transaction's subscription that requires the customer's consent.
    @_disfavoredOverload
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try requestPriceIncreaseConsentForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Consents to the pending price increase of a transaction's subscription.
    @_disfavoredOverload
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try consentToPriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Declines the pending price increase of a transaction's subscription, which then does not renew.
    @_disfavoredOverload
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try declinePriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }
}
