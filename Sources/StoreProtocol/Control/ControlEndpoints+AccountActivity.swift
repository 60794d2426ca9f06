public import PurchaseModel

/// The query of a page of accounts, newest activity first; a request without these parameters lists all accounts without their activity.
public struct AccountQuery: Hashable, Sendable {
    /// The maximum number of accounts on a page.
    public static let limit = 200

    /// The maximum number of accounts on the page, from 1 to ``limit``.
    public var limit = 100
    /// Only accounts whose name contains this text, ignoring the case of ASCII letters; nil for all.
    public var text: String?
    /// The token of the preceding page; nil for the first page.
    public var paginationToken: String?

    /// Creates a query for the first page of all accounts.
    public init() {}

    /// The query of the URL.
    package var parameters: [String: String] {
        var all = ["limit": "\(limit)"]
        all["text"] = text
        all["paginationToken"] = paginationToken
        return all
    }
}

/// The subscriptions, the spending and the newest event of an account.
public struct AccountActivity: Codable, Hashable, Sendable {
    /// The maximum number of subscriptions in a reply.
    public static let subscriptionLimit = 10

    /// The subscriptions in all apps: those with access first, then the latest expiration date first.
    public var subscriptions: [AccountSubscription]
    /// The sum of the charges minus the refunds in each currency, sorted by currency.
    public var spending: [Money]
    /// The date of the account's newest event other than a notification and its delivery; nil for an account without events.
    public var lastActivityDate: Timestamp?

    /// Creates the activity of an account.
    package init(subscriptions: [AccountSubscription], spending: [Money], lastActivityDate: Timestamp?) {
        self.subscriptions = subscriptions
        self.spending = spending
        self.lastActivityDate = lastActivityDate
    }
}

/// A subscription of an account, in a list of accounts.
public struct AccountSubscription: Codable, Hashable, Sendable {
    /// The original transaction identifier.
    public var originalTransactionID: TransactionID
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The identifier of the current product.
    public var productID: ProductID
    /// The product's display name in the catalog; nil if the catalog has no such product.
    public var title: String?
    /// The status, as in the App Store Server API.
    public var status: SubscriptionStatus
    /// Whether the account has the subscription through another account's purchase.
    public var isShared: Bool
    /// Whether the account is a member of a group.
    public var isAssigned: Bool
    /// Whether the subscription renews at ``expiresDate``.
    public var willAutoRenew: Bool
    /// The end of the newest paid period.
    public var expiresDate: Timestamp
    /// The date when the status next changes automatically, such as the end of a grace period; nil for never.
    public var nextRenewalDate: Timestamp?

    /// Creates a subscription.
    package init(
        originalTransactionID: TransactionID, bundleID: BundleID, productID: ProductID, title: String?, status: SubscriptionStatus,
        ownership: Ownership, willAutoRenew: Bool, expiresDate: Timestamp, nextRenewalDate: Timestamp?
    ) {
        self.originalTransactionID = originalTransactionID
        self.bundleID = bundleID
        self.productID = productID
        self.title = title
        self.status = status
        isShared = ownership != .purchased
        isAssigned = ownership == .assigned
        self.willAutoRenew = willAutoRenew
        self.expiresDate = expiresDate
        self.nextRenewalDate = nextRenewalDate
    }
}
