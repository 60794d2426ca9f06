public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists an account's subscriptions.
    package static let subscriptions = Endpoint<Empty, SubscriptionsReply>(.get, "/control/v1/accounts/{account}/subscriptions")
    /// Changes a subscription, identified by its original transaction identifier.
    package static let changeSubscription = Endpoint<SubscriptionRequest, SubscriptionDescription>(
        .post, "/control/v1/subscriptions/{transaction}")
}

/// The subscriptions of one account.
package struct SubscriptionsReply: Codable, Hashable, Sendable {
    /// The subscriptions in the order of their purchases.
    package var subscriptions: [SubscriptionDescription]

    /// Creates a reply.
    package init(subscriptions: [SubscriptionDescription]) {
        self.subscriptions = subscriptions
    }
}

/// A subscription of an account, with its status and renewal info.
public struct SubscriptionDescription: Codable, Hashable, Sendable {
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The identifier of the subscription group.
    public var group: SubscriptionGroupID
    /// The status, as in the App Store Server API.
    public var status: SubscriptionStatus
    /// Whether the account has the subscription through another account's purchase: through Family Sharing, or as a member of a group.
    public var isShared: Bool
    /// Whether the account is a member of a group, to which the purchaser's seats give access.
    public var isAssigned: Bool
    /// The seats of a purchased subscription, with their members and claims; nil for a subscription without seats.
    public var seats: SeatsDescription?
    /// The renewal info that the store would sign now.
    public var renewalInfo: RenewalInfoPayload
    /// The date when the state of the subscription next changes automatically, such as by a renewal; nil for never.
    public var nextRenewalDate: Timestamp?

    /// Creates a description.
    package init(
        bundleID: BundleID, group: SubscriptionGroupID, status: SubscriptionStatus, ownership: Ownership, seats: SeatsDescription? = nil,
        renewalInfo: RenewalInfoPayload, nextRenewalDate: Timestamp?
    ) {
        self.bundleID = bundleID
        self.group = group
        self.status = status
        isShared = ownership != .purchased
        isAssigned = ownership == .assigned
        self.seats = seats
        self.renewalInfo = renewalInfo
        self.nextRenewalDate = nextRenewalDate
    }
}

/// A request to change a subscription, by the customer or the store.
package struct SubscriptionRequest: Codable, Hashable, Sendable {
    /// The kind of change.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
        /// The customer enables auto-renew.
        case enableAutoRenew = "enable-auto-renew"
        /// The customer disables auto-renew.
        case disableAutoRenew = "disable-auto-renew"
        /// The customer withdraws a pending change to another product.
        case cancelChange = "cancel-change"
        /// The current period ends now, and the next period starts.
        case renew
        /// The store charges the next renewal now; the current period continues until its end.
        case chargeAhead = "charge-ahead"
        /// The subscription expires now.
        case expire
        /// The price increases, with consent required.
        case increasePriceWithConsent = "increase-price-with-consent"
        /// The price increases, without consent required.
        case increasePriceWithoutConsent = "increase-price-without-consent"
        /// The customer consents to the price increase.
        case consentToPriceIncrease = "consent-to-price-increase"
        /// The customer declines the price increase.
        case declinePriceIncrease = "decline-price-increase"
        /// The store extends the renewal date, as at the request of the developer's server.
        case extend
        /// The customer chooses the number of seats of the next renewal.
        case setRenewalSeats = "set-renewal-seats"
        /// The customer buys a bundle that contains the subscription.
        case joinBundle = "join-bundle"
        /// The customer plans to leave the bundle at the end of the period.
        case leaveBundle = "leave-bundle"
        /// The customer stays in the bundle after all.
        case stayInBundle = "stay-in-bundle"
    }

    /// The kind of change.
    package var action: Action
    /// The new price of a period for a price increase, in thousandths of the currency unit; nil for the current price.
    package var price: Int64?
    /// The number of days by which ``Action/extend`` extends the renewal date; nil for other actions.
    package var days: Int?
    /// The number of seats for ``Action/setRenewalSeats``; nil for other actions.
    package var seats: Int?
    /// The product identifier of the bundle for ``Action/joinBundle``; nil for other actions.
    package var bundleProductID: ProductID?
    /// The bundle's subscription group for ``Action/joinBundle``; nil for a group that the store chooses, and for other actions.
    package var bundleGroup: SubscriptionGroupID?
    /// Whether a subscription that leaves its bundle expires instead of renewing alone; nil for false, and for other actions.
    package var expires: Bool?

    /// Creates a request.
    package init(_ action: Action, price: Int64? = nil, days: Int? = nil, seats: Int? = nil) {
        self.action = action
        self.price = price
        self.days = days
        self.seats = seats
    }

    /// Creates a request to move the subscription into a bundle.
    package static func joinBundle(_ product: ProductID, group: SubscriptionGroupID? = nil) -> SubscriptionRequest {
        var request = SubscriptionRequest(.joinBundle)
        request.bundleProductID = product
        request.bundleGroup = group
        return request
    }

    /// Creates a request to leave the bundle at the end of the period.
    package static func leaveBundle(expires: Bool = false) -> SubscriptionRequest {
        var request = SubscriptionRequest(.leaveBundle)
        request.expires = expires
        return request
    }
}
