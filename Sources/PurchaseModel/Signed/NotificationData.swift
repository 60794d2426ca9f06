/// The part of a notification that describes the purchase that the notification concerns.
public struct NotificationData: Codable, Hashable, Sendable {
    /// The app's Apple ID in the App Store; absent in the sandbox.
    public var appAppleId: Int64?
    /// The app's bundle identifier.
    public var bundleId: BundleID
    /// The app's version.
    public var bundleVersion: String?
    /// The transaction as a nested JWS, which carries its own signature.
    public var signedTransactionInfo: SignedTransaction?
    /// The renewal info as a nested JWS, which carries its own signature; auto-renewable subscriptions only.
    public var signedRenewalInfo: SignedRenewalInfo?
    /// The subscription's status at the signature date: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int?
    /// The reason for the customer's refund request; only in `CONSUMPTION_REQUEST` notifications.
    public var consumptionRequestReason: String?

    // The value is optional, so that a field that is absent in the signed payload is not encoded either.
    private var statedEnvironment: String?

    /// The server environment of the purchase; empty when the field is absent, as in data of 2021, and the environment unknown.
    public var environment: String {
        get { statedEnvironment ?? "" }
        set { statedEnvironment = newValue.isEmpty ? nil : newValue }
    }

    /// Creates the data of a notification about a purchase.
    public init(bundleId: BundleID, environment: String) {
        self.bundleId = bundleId
        self.statedEnvironment = environment
    }

    private enum CodingKeys: String, CodingKey {
        case appAppleId
        case bundleId
        case bundleVersion
        case statedEnvironment = "environment"
        case signedTransactionInfo
        case signedRenewalInfo
        case status
        case consumptionRequestReason
    }

    /// The subscription's status; nil when the field is absent or has an unknown value.
    public var subscriptionStatus: SubscriptionStatus? { status.flatMap { SubscriptionStatus(rawValue: $0) } }

    /// The reason for the customer's refund request; nil when the field is absent or has an unknown value.
    public var refundReason: ConsumptionRequestReason? { consumptionRequestReason.flatMap { ConsumptionRequestReason(rawValue: $0) } }
}
