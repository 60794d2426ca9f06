/// The session of an account on a device.
public struct SignInReply: Codable, Hashable, Sendable {
    /// What further calls carry as bearer token.
    public var token: String
    /// The country's store of the account.
    public var storefront: Storefront

    /// Creates a reply.
    public init(token: String, storefront: Storefront) {
        self.token = token
        self.storefront = storefront
    }
}
