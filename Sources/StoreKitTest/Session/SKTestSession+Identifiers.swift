/// The same for identifiers that are `Int`.
///
/// Apple's documentation says `Int`, and Xcode brings the type of the header, `UInt`: tests are written for one or for the other.
extension SKTestSession {
    /// Removes a transaction with its renewals and restored copies.
    @_disfavoredOverload
    public func deleteTransaction(identifier: Int) throws {
        try deleteTransaction(identifier: UInt(clamping: identifier))
    }

    /// Gives the money of a transaction back.
    @_disfavoredOverload
    public func refundTransaction(identifier: Int) throws {
        try refundTransaction(identifier: UInt(clamping: identifier))
    }

    /// A parent agrees to a purchase.
    @_disfavoredOverload
    public func approveAskToBuyTransaction(identifier: Int) throws {
        try approveAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// A parent does not agree to a purchase.
    @_disfavoredOverload
    public func declineAskToBuyTransaction(identifier: Int) throws {
        try declineAskToBuyTransaction(identifier: UInt(clamping: identifier))
    }

    /// Lets an interrupted purchase go on, or pays for the renewal of a subscription.
    @_disfavoredOverload
    public func resolveIssueForTransaction(identifier: Int) throws {
        try resolveIssueForTransaction(identifier: UInt(clamping: identifier))
    }

    /// The customer switches renewal on.
    @_disfavoredOverload
    public func enableAutoRenewForTransaction(identifier: Int) throws {
        try enableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// The customer switches renewal off.
    @_disfavoredOverload
    public func disableAutoRenewForTransaction(identifier: Int) throws {
        try disableAutoRenewForTransaction(identifier: UInt(clamping: identifier))
    }

    /// Asks the customer to agree to a higher price.
    @_disfavoredOverload
    public func requestPriceIncreaseConsentForTransaction(identifier: Int) throws {
        try requestPriceIncreaseConsentForTransaction(identifier: UInt(clamping: identifier))
    }

    /// The customer agrees to the higher price.
    @_disfavoredOverload
    public func consentToPriceIncreaseForTransaction(identifier: Int) throws {
        try consentToPriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }

    /// The customer does not agree to the higher price, and will not renew.
    @_disfavoredOverload
    public func declinePriceIncreaseForTransaction(identifier: Int) throws {
        try declinePriceIncreaseForTransaction(identifier: UInt(clamping: identifier))
    }
}
