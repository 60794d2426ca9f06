/// Something to do with a subscription.
public struct SubscriptionRequest: Codable, Hashable, Sendable {
    /// What can be done.
    public enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// The customer switches renewal on.
        case enableAutoRenew = "enable-auto-renew"
        /// The customer switches renewal off.
        case disableAutoRenew = "disable-auto-renew"
        /// The customer takes back a change to another product that waits for the renewal.
        case withdrawChange = "withdraw-change"
        /// The period ends now and the next one starts.
        case renew
        /// The subscription ends now.
        case expire
        /// The price rises, and the customer is asked.
        case raisePrice = "raise-price"
        /// The price rises, and the customer is only told.
        case announcePrice = "announce-price"
        /// The customer agrees to the higher price.
        case agree
        /// The customer does not agree to the higher price.
        case disagree
        /// The store moves the renewal by some days, as the developer's server can.
        case extend
    }

    /// What.
    public var action: Action
    /// The new price of one period, in thousandths of the currency's unit; nil leaves the price as it is.
    public var price: Int64?
    /// By how many days to move the renewal.
    public var days: Int?

    /// Creates a request.
    public init(_ action: Action, price: Int64? = nil, days: Int? = nil) {
        self.action = action
        self.price = price
        self.days = days
    }
}
