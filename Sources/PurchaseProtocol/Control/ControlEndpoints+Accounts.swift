package import PurchaseModel

extension ControlEndpoints {
    /// Creates an account.
    package static let createAccount = Endpoint<CreateAccountRequest, Empty>(.post, "/control/v1/accounts")
    /// Lists all accounts.
    package static let accounts = Endpoint<Empty, AccountsReply>(.get, "/control/v1/accounts")
    /// Changes an account.
    package static let setAccount = Endpoint<AccountRequest, AccountDescription>(.post, "/control/v1/accounts/{account}")
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
    /// The password for signing in: a test fixture, stored as plain text.
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
    package var askToBuyEnabled: Bool
    /// Whether the account's payment method is valid.
    package var hasValidPaymentMethod: Bool
    /// Whether the account's purchases are interrupted until the account resolves the issue.
    package var interruptedPurchasesEnabled: Bool
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

/// Changes to an account.
///
/// Members that are nil stay unchanged.
package struct AccountRequest: Codable, Hashable, Sendable {
    /// The new password.
    package var password: String?
    /// Whether Ask to Buy is enabled: a parent must approve the account's purchases.
    package var askToBuyEnabled: Bool?
    /// Whether the account's payment method is valid.
    package var hasValidPaymentMethod: Bool?
    /// Whether the account's purchases are interrupted until the account resolves the issue.
    package var interruptedPurchasesEnabled: Bool?
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
package struct PaymentMethodRequest: Codable, Hashable, Sendable {
    /// Whether the payment method is valid.
    package var isValid: Bool

    /// Creates a request.
    package init(isValid: Bool) {
        self.isValid = isValid
    }
}

/// Whether purchases are allowed on a device.
package struct DeviceRestrictionRequest: Codable, Hashable, Sendable {
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
    package var transactionID: TransactionID
    /// The charged product.
    package var productID: ProductID
    /// The amount; negative for a refund.
    package var amount: Money

    /// Creates a line.
    package init(date: Timestamp, transactionID: TransactionID, productID: ProductID, amount: Money) {
        self.date = date
        self.transactionID = transactionID
        self.productID = productID
        self.amount = amount
    }
}
