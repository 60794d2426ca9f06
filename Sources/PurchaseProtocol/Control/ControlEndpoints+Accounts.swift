package import PurchaseModel

extension ControlEndpoints {
    /// Opens an account.
    package static let openAccount = Endpoint<OpenAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// Every account.
    package static let accounts = Endpoint<Empty, AccountsReply>(.get, "/control/v1/accounts")
    /// Changes an account.
    package static let setAccount = Endpoint<AccountRequest, AccountDescription>(.post, "/control/v1/accounts/{account}")
    /// Makes an account's card fail or work again.
    package static let card = Endpoint<CardRequest, Empty>(.post, "/control/v1/accounts/{account}/card")
    /// Allows or forbids purchases on a device.
    package static let setDevice = Endpoint<DeviceRequest, Empty>(.post, "/control/v1/devices/{device}")
    /// What an account was charged, oldest first.
    package static let charges = Endpoint<Empty, ChargesReply>(.get, "/control/v1/accounts/{account}/charges")
}

/// A new account of a local store.
package struct OpenAccountRequest: Codable, Hashable, Sendable {
    /// The name to sign in with.
    package var account: AccountID
    /// The password to sign in with: a test fixture, kept as it is.
    package var password: String
    /// Whether a parent must approve each purchase.
    package var asksToBuy: Bool

    /// Creates a request.
    package init(account: AccountID, password: String, asksToBuy: Bool = false) {
        self.account = account
        self.password = password
        self.asksToBuy = asksToBuy
    }
}

/// The accounts of a store.
package struct AccountsReply: Codable, Hashable, Sendable {
    /// In the order in which they were opened.
    package var accounts: [AccountDescription]

    /// Creates a reply.
    package init(accounts: [AccountDescription]) {
        self.accounts = accounts
    }
}

/// An account of a store.
package struct AccountDescription: Codable, Hashable, Sendable {
    /// The account.
    package var account: AccountID
    /// Whether a parent must approve its purchases.
    package var asksToBuy: Bool
    /// Whether its card can be charged.
    package var cardWorks: Bool
    /// Whether its purchases are interrupted until that is resolved.
    package var interruptsPurchases: Bool
    /// Whether its family may use what it buys.
    package var sharesPurchases: Bool
    /// `Sandbox` or `Production`.
    package var environment: AppEnvironment
    /// Alpha-3 code of the country it buys in; nil for that of each catalog.
    package var storefront: String?
    /// What the members of its family have in common.
    package var family: String?

    /// Creates a description.
    package init(
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

/// What is to change about an account; what is nil stays.
package struct AccountRequest: Codable, Hashable, Sendable {
    /// The new password.
    package var password: String?
    /// Whether a parent must approve its purchases.
    package var asksToBuy: Bool?
    /// Whether its card can be charged.
    package var cardWorks: Bool?
    /// Whether its purchases are interrupted until that is resolved.
    package var interruptsPurchases: Bool?
    /// Whether its family may use what it buys.
    package var sharesPurchases: Bool?
    /// `Sandbox` or `Production`; purchases that were made stay where they were made.
    package var environment: AppEnvironment?
    /// Alpha-3 code of the country it buys in; empty for that of each catalog.
    package var storefront: String?
    /// What the members of its family have in common; empty to leave the family.
    package var family: String?

    /// Creates a request that changes nothing.
    package init() {}
}

/// Whether an account can pay for renewals.
package struct CardRequest: Codable, Hashable, Sendable {
    /// Whether the card works.
    package var works: Bool

    /// Creates a request.
    package init(works: Bool) {
        self.works = works
    }
}

/// Whether purchases are allowed on a device.
package struct DeviceRequest: Codable, Hashable, Sendable {
    /// Whether they are forbidden.
    package var isRestricted: Bool

    /// Creates a request.
    package init(isRestricted: Bool) {
        self.isRestricted = isRestricted
    }
}

/// What an account was charged.
package struct ChargesReply: Codable, Hashable, Sendable {
    /// Every line, oldest first.
    package var charges: [Charge]

    /// Creates a reply.
    package init(charges: [Charge]) {
        self.charges = charges
    }
}

/// One line of what an account paid, or got back.
package struct Charge: Codable, Hashable, Sendable {
    /// When.
    package var date: Timestamp
    /// For which transaction.
    package var transaction: TransactionID
    /// For which product.
    package var productID: ProductID
    /// How much; negative for a refund.
    package var amount: Money

    /// Creates a line.
    package init(date: Timestamp, transaction: TransactionID, productID: ProductID, amount: Money) {
        self.date = date
        self.transaction = transaction
        self.productID = productID
        self.amount = amount
    }
}
