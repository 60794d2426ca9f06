/// The part of a subscription's renewal info that only Advanced Commerce subscriptions have.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// The consistency token, a value that is different after every change of the subscription.
    public var consistencyToken: String?
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items that renew.
    public var items: [AdvancedCommerceRenewalItem]?
    /// The duration of a subscription period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the Advanced Commerce request, a UUID.
    public var requestReferenceId: String?
    /// The tax code of the subscription.
    public var taxCode: String?

    /// Creates renewal info without values.
    public init() {}
}
