/// An account of a store.
public struct AccountDescription: Codable, Hashable, Sendable {
    /// The account.
    public var account: AccountID
    /// Whether a parent must approve its purchases.
    public var asksToBuy: Bool
    /// Whether its card can be charged.
    public var cardWorks: Bool
    /// Whether its purchases are interrupted until that is resolved.
    public var interruptsPurchases: Bool
    /// Whether its family may use what it buys.
    public var sharesPurchases: Bool
    /// `Sandbox` or `Production`.
    public var environment: AppEnvironment
    /// Alpha-3 code of the country it buys in; nil for that of each catalogue.
    public var storefront: String?
    /// What the members of its family have in common.
    public var family: String?

    /// Creates a description.
    public init(
        account: AccountID, asksToBuy: Bool, cardWorks: Bool, interruptsPurchases: Bool, sharesPurchases: Bool,
        environment: AppEnvironment, storefront: String?, family: String?
    ) {
        self.account = account
        self.asksToBuy = asksToBuy
        self.cardWorks = cardWorks
        self.interruptsPurchases = interruptsPurchases
        self.sharesPurchases = sharesPurchases
        self.environment = environment
        self.storefront = storefront
        self.family = family
    }
}
