/// A response with the status of a customer's subscriptions.
public struct StatusResponse: Codable, Hashable, Sendable {
    /// The server environment of the purchases.
    public var environment: String
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The customer's subscriptions, by subscription group.
    public var data: [SubscriptionGroupStatus]

    /// Creates a response.
    public init(environment: String, bundleId: BundleID, appAppleId: Int64? = nil, data: [SubscriptionGroupStatus]) {
        self.environment = environment
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.data = data
    }
}

/// The status of a customer's subscriptions in one subscription group.
public struct SubscriptionGroupStatus: Codable, Hashable, Sendable {
    /// The identifier of the subscription group.
    public var subscriptionGroupIdentifier: SubscriptionGroupID
    /// The status and the newest transaction of each subscription; each original transaction is one subscription.
    public var lastTransactions: [LastTransaction]

    /// Creates the status of a subscription group.
    public init(subscriptionGroupIdentifier: SubscriptionGroupID, lastTransactions: [LastTransaction]) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
    }
}

/// The status of one subscription.
public struct LastTransaction: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The status of the subscription: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int
    /// The newest transaction of the subscription.
    public var signedTransactionInfo: SignedTransaction
    /// The renewal info of the subscription.
    public var signedRenewalInfo: SignedRenewalInfo

    /// Creates the status of one subscription.
    public init(
        originalTransactionId: TransactionID, status: Int, signedTransactionInfo: SignedTransaction, signedRenewalInfo: SignedRenewalInfo
    ) {
        self.originalTransactionId = originalTransactionId
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
    }

    /// The typed value of ``status``; nil for an unknown number.
    public var subscriptionStatus: SubscriptionStatus? { SubscriptionStatus(rawValue: status) }
}

/// A response to the extension of a subscription's renewal date.
public struct ExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// The original transaction identifier of the subscription.
    public var originalTransactionId: TransactionID
    /// The identifier of the purchase event of the extended subscription period.
    public var webOrderLineItemId: String?
    /// Whether the renewal date was extended.
    public var success: Bool
    /// The renewal date after the extension.
    public var effectiveDate: Timestamp?

    /// Creates a response.
    public init(originalTransactionId: TransactionID, webOrderLineItemId: String? = nil, success: Bool, effectiveDate: Timestamp? = nil) {
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.success = success
        self.effectiveDate = effectiveDate
    }
}

/// A response to a request to extend the renewal dates of many subscriptions.
public struct MassExtendRenewalDateResponse: Codable, Hashable, Sendable {
    /// The developer's identifier of the request.
    public var requestIdentifier: String

    /// Creates a response.
    public init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}

/// A response with the progress of a request to extend the renewal dates of many subscriptions.
public struct MassExtendRenewalDateStatusResponse: Codable, Hashable, Sendable {
    /// The developer's identifier of the request.
    public var requestIdentifier: String
    /// Whether the request is complete; only the response to a complete request has a completion date and counts.
    public var complete: Bool
    /// The date when the request was completed.
    public var completeDate: Timestamp?
    /// The number of subscriptions whose renewal dates were extended.
    public var succeededCount: Int64?
    /// The number of subscriptions whose renewal dates could not be extended.
    public var failedCount: Int64?

    /// Creates a response.
    public init(
        requestIdentifier: String, complete: Bool, completeDate: Timestamp? = nil, succeededCount: Int64? = nil, failedCount: Int64? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}
