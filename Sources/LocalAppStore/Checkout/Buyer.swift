import PurchaseModel
import PurchaseProtocol

/// Who buys, where, in which app: what a purchase is written with.
struct Buyer: Sendable {
    var account: AccountRecord
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// `appTransactionId`.
    var customer: String

    /// Whether a parent must approve: because it is a child, or because the `.storekit` file or the app wants to see it.
    func asksToBuy(_ request: PurchaseRequest) -> Bool {
        account.asksToBuy || app.catalog.settings.asksToBuy
            || request.simulatesAskToBuy == true && account.environment == .sandbox
    }
    /// Whether purchases are interrupted until that is resolved.
    var isInterrupted: Bool { account.interruptsPurchases || app.catalog.settings.interruptsPurchases }

    /// The country's store that it buys in.
    var storefront: Storefront { account.storefront(of: app) }
}
