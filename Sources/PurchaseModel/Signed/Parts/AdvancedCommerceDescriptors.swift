/// The description and the display name of an Advanced Commerce subscription.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// The description.
    public var description: String?
    /// The display name.
    public var displayName: String?

    /// Creates descriptors without values.
    public init() {}
}
