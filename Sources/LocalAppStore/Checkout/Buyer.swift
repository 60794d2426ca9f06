import PurchaseModel

/// Who buys, where, in which app: what a purchase is written with.
struct Buyer: Sendable {
    var account: AccountRow
    var app: StoreApp
    var device: DeviceID
    var appVersion: String
    /// `appTransactionId`.
    var customer: String

    /// The country's store that it buys in.
    var storefront: Storefront { account.storefront(of: app) }
}
