/// A new account of a local store.
public struct OpenAccountRequest: Codable, Hashable, Sendable {
    /// The name to sign in with.
    public var account: AccountID
    /// The password to sign in with: a test fixture, kept as it is.
    public var password: String
    /// Whether a parent must approve each purchase.
    public var asksToBuy: Bool

    /// Creates a request.
    public init(account: AccountID, password: String, asksToBuy: Bool = false) {
        self.account = account
        self.password = password
        self.asksToBuy = asksToBuy
    }
}
