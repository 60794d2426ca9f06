public import PurchaseModel

/// An account and its password, as entered by a user.
///
/// Credentials are never written to disk and never printed.
public struct Credentials: Sendable {
    /// The name of the account.
    public var account: AccountID
    /// The account's password.
    public var password: String

    /// Creates credentials from an account and its password.
    public init(account: AccountID, password: String) {
        self.account = account
        self.password = password
    }
}

extension Credentials: CustomStringConvertible {
    /// The name of the account, without the password.
    public var description: String { "\(account)" }
}
