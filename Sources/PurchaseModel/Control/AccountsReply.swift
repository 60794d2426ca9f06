/// The accounts of a store.
public struct AccountsReply: Codable, Hashable, Sendable {
    /// In the order in which they were opened.
    public var accounts: [AccountDescription]

    /// Creates a reply.
    public init(accounts: [AccountDescription]) {
        self.accounts = accounts
    }
}
