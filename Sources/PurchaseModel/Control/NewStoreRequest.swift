/// What a further store of a host is to be like; everything has a default.
public struct NewStoreRequest: Codable, Hashable, Sendable {
    /// The name in its addresses: up to 64 of a-z, 0-9 and -; nil for one that the host makes up.
    public var name: String?
    /// A `.storekit` file; nil for a store that sells nothing yet.
    public var storekit: JSONText?
    /// The app that it sells for.
    public var bundleID: BundleID?
    /// What `verifyReceipt` demands as `password`; nil accepts any.
    public var sharedSecret: String?
    /// Whether the store outlives the process, in a file of the host's folder.
    public var isKept: Bool?

    /// Creates a request.
    public init(
        name: String? = nil, storekit: JSONText? = nil, bundleID: BundleID? = nil, sharedSecret: String? = nil, isKept: Bool? = nil
    ) {
        self.name = name
        self.storekit = storekit
        self.bundleID = bundleID
        self.sharedSecret = sharedSecret
        self.isKept = isKept
    }
}
