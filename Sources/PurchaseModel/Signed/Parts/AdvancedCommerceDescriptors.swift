/// The description and the display name of an Advanced Commerce subscription.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// The description of the subscription.
    public var description: String?
    /// The display name of the subscription.
    public var displayName: String?

    /// Creates descriptors without values.
    public init() {}
}
