/// The additional renewal info of Advanced Commerce.
public struct AdvancedCommerceRenewalInfo: Codable, Hashable, Sendable {
    /// The consistency token, which changes with every change of the subscription.
    public var consistencyToken: String?
    /// The description and the display name of the subscription.
    public var descriptors: AdvancedCommerceDescriptors?
    /// The items that renew.
    public var items: [AdvancedCommerceRenewalItem]?
    /// The duration of a period, as an ISO 8601 duration.
    public var period: String?
    /// The developer's identifier of the request, a UUID.
    public var requestReferenceId: String?
    /// The tax code.
    public var taxCode: String?

    /// Creates renewal info without values.
    public init() {}
}
