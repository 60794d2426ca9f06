import PurchaseModel
import PurchaseProtocol

/// The account, the app and the environment of a purchase.
struct Buyer: Sendable {
    var account: AccountRecord
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// The `appTransactionId` of the account in the app.
    var appTransactionID: String

    /// Whether a parent must approve the purchase (Ask to Buy): the account is a child's, or the `.storekit` file or the app simulates
    /// Ask to Buy.
    func requiresApproval(_ request: PurchaseRequest) -> Bool {
        account.askToBuyEnabled || app.catalog.settings.askToBuyEnabled
            || request.simulatesAskToBuy == true && account.environment == .sandbox
    }
    /// Whether purchases are interrupted until the account resolves an issue.
    var isInterrupted: Bool { account.interruptedPurchasesEnabled || app.catalog.settings.interruptedPurchasesEnabled }

    /// The storefront of the account.
    var storefront: Storefront { account.storefront(of: app) }
}
