/// What a subscription of Advanced Commerce calls itself.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// What it is.
    public var description: String?
    /// Its name.
    public var displayName: String?

    /// Creates one that states nothing.
    public init() {}
}
