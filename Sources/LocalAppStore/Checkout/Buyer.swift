import PurchaseModel
import PurchaseProtocol

/// The account, the app and the device of a purchase.
struct Buyer: Sendable {
    var account: AccountRecord
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// The `appTransactionId` of the account in the app.
    var appTransactionID: String

    /// Returns whether a parent must approve a purchase (Ask to Buy).
    ///
    /// The account's setting, the `.storekit` file's setting, or `simulatesAskToBuyInSandbox` of the payment requires the approval.
    func requiresApproval(_ request: PurchaseRequest) -> Bool {
        account.askToBuyEnabled || app.catalog.settings.askToBuyEnabled
            || request.simulatesAskToBuy == true && account.environment == .sandbox
    }
    /// Whether the buyer's purchases are interrupted until the account resolves an issue, as the account or the `.storekit` file sets.
    var isInterrupted: Bool { account.interruptedPurchasesEnabled || app.catalog.settings.interruptedPurchasesEnabled }

    /// The storefront in which the account buys the app's products.
    var storefront: Storefront { account.storefront(of: app) }
}
