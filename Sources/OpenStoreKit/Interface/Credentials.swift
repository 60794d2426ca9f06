public import PurchaseModel

/// An account and its password, as a user types them.
///
/// Never written down, never printed.
public struct Credentials: Sendable {
    /// The account.
    public var account: AccountID
    /// Its password.
    public var password: String

    /// Creates credentials.
    public init(account: AccountID, password: String) {
        self.account = account
        self.password = password
    }
}

extension Credentials: CustomStringConvertible {
    /// The account alone.
    public var description: String { "\(account)" }
}
