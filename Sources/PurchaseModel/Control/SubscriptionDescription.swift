/// What a screen shows of a subscription.
public struct SubscriptionDescription: Codable, Hashable, Sendable {
    /// The app.
    public var bundleID: BundleID
    /// The group.
    public var group: SubscriptionGroupID
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    public var status: Int
    /// Whether a relative bought it.
    public var isShared: Bool
    /// What signed renewal information would say now.
    public var renewalInfo: RenewalInfoPayload
    /// When something happens by itself next.
    public var nextDue: Timestamp?

    /// Creates a description.
    public init(
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
