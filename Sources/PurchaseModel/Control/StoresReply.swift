/// The stores of a host.
public struct StoresReply: Codable, Hashable, Sendable {
    /// The default store first, the others by name.
    public var stores: [StoreDescription]

    /// Creates a reply.
    public init(stores: [StoreDescription]) {
        self.stores = stores
    }
}
