package import PurchaseModel

extension ControlEndpoints {
    /// An account's subscriptions.
    package static let subscriptions = Endpoint<Empty, SubscriptionsReply>(.get, "/control/v1/accounts/{account}/subscriptions")
    /// Does something with a subscription, named by its first transaction.
    package static let subscription = Endpoint<SubscriptionRequest, SubscriptionDescription>(
        .post, "/control/v1/subscriptions/{transaction}")
}

/// Subscriptions of one account.
package struct SubscriptionsReply: Codable, Hashable, Sendable {
    /// In the order in which they were bought.
    package var subscriptions: [SubscriptionDescription]

    /// Creates a reply.
    package init(subscriptions: [SubscriptionDescription]) {
        self.subscriptions = subscriptions
    }
}

/// What a screen shows of a subscription.
package struct SubscriptionDescription: Codable, Hashable, Sendable {
    /// The app.
    package var bundleID: BundleID
    /// The group.
    package var group: SubscriptionGroupID
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package var status: Int
    /// Whether a relative bought it.
    package var isShared: Bool
    /// What signed renewal information would say now.
    package var renewalInfo: RenewalInfoPayload
    /// When something happens by itself next.
    package var nextDue: Timestamp?

    /// Creates a description.
    package init(
        bundleID: BundleID, group: SubscriptionGroupID, status: Int, isShared: Bool, renewalInfo: RenewalInfoPayload, nextDue: Timestamp?
    ) {
        self.bundleID = bundleID
        self.group = group
        self.status = status
        self.isShared = isShared
        self.renewalInfo = renewalInfo
        self.nextDue = nextDue
    }
}

/// Something to do with a subscription.
package struct SubscriptionRequest: Codable, Hashable, Sendable {
    /// What can be done.
    package enum Action: String, Codable, Hashable, Sendable, CaseIterable {
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
    package var action: Action
    /// The new price of one period, in thousandths of the currency's unit; nil leaves the price as it is.
    package var price: Int64?
    /// By how many days to move the renewal.
    package var days: Int?

    /// Creates a request.
    package init(_ action: Action, price: Int64? = nil, days: Int? = nil) {
        self.action = action
        self.price = price
        self.days = days
    }
}
