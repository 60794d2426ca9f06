import PurchaseModel
import PurchaseProtocol

/// The account, the app and the environment of a purchase.
struct Buyer: Sendable {
    var account: AccountRecord
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// The `appTransactionId` of the account in the app.
    var customer: String

    /// Whether a parent must approve the purchase (Ask to Buy): the account is a child's, or the `.storekit` file or the app simulates
    /// Ask to Buy.
    func asksToBuy(_ request: PurchaseRequest) -> Bool {
        account.asksToBuy || app.catalog.settings.asksToBuy
            || request.simulatesAskToBuy == true && account.environment == .sandbox
    }
    /// Whether purchases are interrupted until the account resolves an issue.
    var isInterrupted: Bool { account.interruptsPurchases || app.catalog.settings.interruptsPurchases }

    /// The storefront of the account.
    var storefront: Storefront { account.storefront(of: app) }
}
