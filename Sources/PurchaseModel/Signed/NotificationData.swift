/// The purchase that a notification is about.
public struct NotificationData: Codable, Hashable, Sendable {
    /// The app's number in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app.
    public var bundleId: BundleID
    /// The app's version.
    public var bundleVersion: String?
    /// Where the purchase was made.
    public var environment: String
    /// The transaction, signed on its own.
    public var signedTransactionInfo: SignedTransaction?
    /// The renewal information, signed on its own; auto-renewable subscriptions only.
    public var signedRenewalInfo: SignedRenewalInfo?
    /// The subscription's status when this was signed: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int?
    /// Why the customer wants a refund; requests for consumption information only.
    public var consumptionRequestReason: String?

    /// Creates the data of a notification.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.environment = environment
    }

    /// The subscription's status, or nil for one this version does not know.
    public var subscriptionStatus: SubscriptionStatus? { status.flatMap { SubscriptionStatus(rawValue: $0) } }

    /// Why the customer wants a refund, or nil for one this version does not know.
    public var refundReason: ConsumptionRequestReason? { consumptionRequestReason.flatMap { ConsumptionRequestReason(rawValue: $0) } }
}
