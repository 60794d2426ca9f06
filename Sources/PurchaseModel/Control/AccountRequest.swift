/// What is to change about an account; what is nil stays.
public struct AccountRequest: Codable, Hashable, Sendable {
    /// The new password.
    public var password: String?
    /// Whether a parent must approve its purchases.
    public var asksToBuy: Bool?
    /// Whether its card can be charged.
    public var cardWorks: Bool?
    /// Whether its purchases are interrupted until that is resolved.
    public var interruptsPurchases: Bool?
    /// Whether its family may use what it buys.
    public var sharesPurchases: Bool?
    /// `Sandbox` or `Production`; purchases that were made stay where they were made.
    public var environment: AppEnvironment?
    /// Alpha-3 code of the country it buys in; empty for that of each catalogue.
    public var storefront: String?
    /// What the members of its family have in common; empty to leave the family.
    public var family: String?

    /// Creates a request that changes nothing.
    public init() {}
}
