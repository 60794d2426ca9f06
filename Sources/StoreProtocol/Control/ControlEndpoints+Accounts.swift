public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Creates an account in a local store.
    package static let createAccount = Endpoint<CreateAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// Lists the accounts of a local store; see ``AccountQuery`` for pages of accounts with their activity.
    package static let accounts = Endpoint<Empty, AccountsReply>(.get, "/control/v1/accounts")
    /// Reads one account with its activity.
    package static let account = Endpoint<Empty, AccountDescription>(.get, "/control/v1/accounts/{account}")
    /// Changes the properties of an account.
    package static let setAccount = Endpoint<AccountRequest, AccountDescription>(.post, "/control/v1/accounts/{account}")
    /// Removes an account with its purchases and its sign-ins; refused while a family member has a purchase that the account shared.
    package static let removeAccount = Endpoint<Empty, Empty>(.delete, "/control/v1/accounts/{account}")
    /// Makes an account's payment method valid or invalid.
    package static let setPaymentMethod = Endpoint<PaymentMethodRequest, Empty>(.post, "/control/v1/accounts/{account}/payment-method")
    /// Allows or restricts purchases on a device.
    package static let setDevice = Endpoint<DeviceRestrictionRequest, Empty>(.post, "/control/v1/devices/{device}")
    /// Lists an account's charges, oldest first.
    package static let charges = Endpoint<Empty, ChargesReply>(.get, "/control/v1/accounts/{account}/charges")
}

/// A request to create an account of a local store.
package struct CreateAccountRequest: Codable, Hashable, Sendable {
    /// The account name for signing in.
    package var account: AccountID
    /// The password for signing in, which the store keeps as plain text because it is test data.
    package var password: String
    /// Whether Ask to Buy is enabled: a parent must approve each purchase.
    package var askToBuyEnabled: Bool

    /// Creates a request.
    package init(account: AccountID, password: String, askToBuyEnabled: Bool = false) {
        self.account = account
        self.password = password
        self.askToBuyEnabled = askToBuyEnabled
    }
}

/// The accounts of a store.
public struct AccountsReply: Codable, Hashable, Sendable {
    /// The accounts in the order of their creation, or one page of accounts, newest activity first.
    public var accounts: [AccountDescription]
    /// The number of accounts on all pages; nil in a reply without pages.
    public var count: Int?
    /// The token with which the next page is requested; nil in the reply with the last page, and in a reply without pages.
    public var paginationToken: String?

    /// Creates a reply.
    package init(accounts: [AccountDescription], count: Int? = nil, paginationToken: String? = nil) {
        self.accounts = accounts
        self.count = count
        self.paginationToken = paginationToken
    }
}

/// An account of a store.
public struct AccountDescription: Codable, Hashable, Sendable {
    /// The account name.
    public var account: AccountID
    /// Whether Ask to Buy is enabled: a parent must approve each purchase.
    public var askToBuyEnabled: Bool
    /// Whether the account's payment method is valid.
    public var hasValidPaymentMethod: Bool
    /// Whether each purchase of the account is interrupted until the interruption is resolved.
    public var interruptedPurchasesEnabled: Bool
    /// Whether the account shares its purchases through Family Sharing.
    public var sharesPurchases: Bool
    /// The environment of the account's purchases: `Sandbox` or `Production`.
    public var environment: AppEnvironment
    /// The alpha-3 code of the account's storefront; nil for the storefront of each app's catalog.
    public var storefront: String?
    /// The family identifier, which the members of the account's family have in common; nil for no family.
    public var family: String?
    /// The account's subscriptions, spending and newest event; nil in replies without activity.
    public var activity: AccountActivity?

    /// Creates a description without the account's activity.
    package init(
        account: AccountID, askToBuyEnabled: Bool, hasValidPaymentMethod: Bool, interruptedPurchasesEnabled: Bool, sharesPurchases: Bool,
        environment: AppEnvironment, storefront: String?, family: String?
    ) {
        self.account = account
        self.askToBuyEnabled = askToBuyEnabled
        self.hasValidPaymentMethod = hasValidPaymentMethod
        self.interruptedPurchasesEnabled = interruptedPurchasesEnabled
        self.sharesPurchases = sharesPurchases
        self.environment = environment
        self.storefront = storefront
        self.family = family
    }
}

/// A request to change an account.
///
/// Members that are nil stay unchanged.
public struct AccountRequest: Codable, Hashable, Sendable {
    /// The new password for signing in; nil for no change.
    public var password: String?
    /// Whether Ask to Buy is enabled: a parent must approve each purchase.
    public var askToBuyEnabled: Bool?
    /// Whether the account's payment method is valid; nil for no change.
    public var hasValidPaymentMethod: Bool?
    /// Whether each purchase of the account is interrupted until the interruption is resolved; nil for no change.
    public var interruptedPurchasesEnabled: Bool?
    /// Whether the account shares its purchases through Family Sharing; nil for no change.
    public var sharesPurchases: Bool?
    /// The environment of the account's purchases, `Sandbox` or `Production`; existing purchases keep their environment.
    public var environment: AppEnvironment?
    /// The alpha-3 code of the account's storefront; empty for the storefront of each app's catalog, nil for no change.
    public var storefront: String?
    /// The family identifier, which the members of the account's family have in common; empty to leave the family, nil for no change.
    public var family: String?

    /// Creates a request without changes; set the members to change.
    public init() {}
}

/// A request to make an account's payment method valid or invalid.
package struct PaymentMethodRequest: Codable, Hashable, Sendable {
    /// Whether the payment method is valid; an invalid payment method declines renewals.
    package var isValid: Bool

    /// Creates a request.
    package init(isValid: Bool) {
        self.isValid = isValid
    }
}

/// A request to allow or restrict purchases on a device.
package struct DeviceRestrictionRequest: Codable, Hashable, Sendable {
    /// Whether purchases are restricted.
    package var isRestricted: Bool

    /// Creates a request.
    package init(isRestricted: Bool) {
        self.isRestricted = isRestricted
    }
}

/// The charges and refunds of an account.
package struct ChargesReply: Codable, Hashable, Sendable {
    /// All charges and refunds, oldest first.
    package var charges: [Charge]

    /// Creates a reply.
    package init(charges: [Charge]) {
        self.charges = charges
    }
}

/// One charge or refund of an account.
public struct Charge: Codable, Hashable, Sendable {
    /// The date of the charge or refund.
    public var date: Timestamp
    /// The identifier of the charged or refunded transaction.
    public var transactionID: TransactionID
    /// The identifier of the charged or refunded product.
    public var productID: ProductID
    /// The charged amount; negative for a refund.
    public var amount: Money

    /// Creates a charge or refund.
    package init(date: Timestamp, transactionID: TransactionID, productID: ProductID, amount: Money) {
        self.date = date
        self.transactionID = transactionID
        self.productID = productID
        self.amount = amount
    }
}
