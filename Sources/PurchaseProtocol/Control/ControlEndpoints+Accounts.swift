package import PurchaseModel

extension ControlEndpoints {
    /// Creates an account.
    package static let openAccount = Endpoint<OpenAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// Lists all accounts.
    package static let accounts = Endpoint<Empty, AccountsReply>(.get, "/control/v1/accounts")
    /// Changes an account.
    package static let setAccount = Endpoint<AccountRequest, AccountDescription>(.post, "/control/v1/accounts/{account}")
    /// Makes an account's payment method valid or invalid.
    package static let card = Endpoint<CardRequest, Empty>(.post, "/control/v1/accounts/{account}/card")
    /// Allows or restricts purchases on a device.
    package static let setDevice = Endpoint<DeviceRequest, Empty>(.post, "/control/v1/devices/{device}")
    /// Lists an account's charges, oldest first.
    package static let charges = Endpoint<Empty, ChargesReply>(.get, "/control/v1/accounts/{account}/charges")
}

/// A request to create an account of a local store.
package struct OpenAccountRequest: Codable, Hashable, Sendable {
    /// The account name for signing in.
    package var account: AccountID
    /// The password for signing in: a test fixture, stored as plain text.
    package var password: String
    /// Whether Ask to Buy is enabled: a parent must approve each purchase.
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
    /// The accounts in the order of their creation.
    package var accounts: [AccountDescription]

    /// Creates a reply.
    package init(accounts: [AccountDescription]) {
        self.accounts = accounts
    }
}

/// An account of a store.
package struct AccountDescription: Codable, Hashable, Sendable {
    /// The account name.
    package var account: AccountID
    /// Whether Ask to Buy is enabled: a parent must approve the account's purchases.
    package var asksToBuy: Bool
    /// Whether the account's payment method is valid.
    package var cardWorks: Bool
    /// Whether the account's purchases are interrupted until the account resolves the issue.
    package var interruptsPurchases: Bool
    /// Whether the account shares its purchases through Family Sharing.
    package var sharesPurchases: Bool
    /// `Sandbox` or `Production`.
    package var environment: AppEnvironment
    /// The alpha-3 code of the account's storefront; nil for the storefront of each catalog.
    package var storefront: String?
    /// The identifier that the members of the account's family share.
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

/// Changes to an account.
///
/// Members that are nil stay unchanged.
package struct AccountRequest: Codable, Hashable, Sendable {
    /// The new password.
    package var password: String?
    /// Whether Ask to Buy is enabled: a parent must approve the account's purchases.
    package var asksToBuy: Bool?
    /// Whether the account's payment method is valid.
    package var cardWorks: Bool?
    /// Whether the account's purchases are interrupted until the account resolves the issue.
    package var interruptsPurchases: Bool?
    /// Whether the account shares its purchases through Family Sharing.
    package var sharesPurchases: Bool?
    /// `Sandbox` or `Production`; existing purchases keep their environment.
    package var environment: AppEnvironment?
    /// The alpha-3 code of the account's storefront; empty for the storefront of each catalog.
    package var storefront: String?
    /// The identifier that the members of the account's family share; empty to leave the family.
    package var family: String?

    /// Creates a request that changes nothing.
    package init() {}
}

/// Whether an account's payment method is valid for renewals.
package struct CardRequest: Codable, Hashable, Sendable {
    /// Whether the payment method is valid.
    package var works: Bool

    /// Creates a request.
    package init(works: Bool) {
        self.works = works
    }
}

/// Whether purchases are allowed on a device.
package struct DeviceRequest: Codable, Hashable, Sendable {
    /// Whether purchases are restricted.
    package var isRestricted: Bool

    /// Creates a request.
    package init(isRestricted: Bool) {
        self.isRestricted = isRestricted
    }
}

/// The charges of an account.
package struct ChargesReply: Codable, Hashable, Sendable {
    /// All charges and refunds, oldest first.
    package var charges: [Charge]

    /// Creates a reply.
    package init(charges: [Charge]) {
        self.charges = charges
    }
}

/// One charge or refund of an account.
package struct Charge: Codable, Hashable, Sendable {
    /// The date of the charge.
    package var date: Timestamp
    /// The charged transaction.
    package var transaction: TransactionID
    /// The charged product.
    package var productID: ProductID
    /// The amount; negative for a refund.
    package var amount: Money

    /// Creates a line.
    package init(date: Timestamp, transaction: TransactionID, productID: ProductID, amount: Money) {
        self.date = date
        self.transaction = transaction
        self.productID = productID
        self.amount = amount
    }
}
