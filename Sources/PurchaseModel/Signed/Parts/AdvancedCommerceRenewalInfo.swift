/// What renewal information of Advanced Commerce says beyond other.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// Changes with every change of the subscription.
    public var consistencyToken: String?
    /// What the subscription calls itself.
    public var descriptors: AdvancedCommerceDescriptors?
    /// What will renew.
    public var items: [AdvancedCommerceRenewalItem]?
    /// How long a period is, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the request, a UUID.
    public var requestReferenceId: String?
    /// How it is taxed.
    public var taxCode: String?

    /// Creates one that states nothing.
    public init() {}
}
