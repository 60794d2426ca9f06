import PurchaseModel

/// The app and the environment of a request to the App Store Server API, from the token and the address.
struct APIScope: Sendable {
    var app: StoreApp
    var environment: AppEnvironment

    var bundleID: BundleID { app.bundleID }

    /// The `appAppleId`, which only production responses contain.
    var appAppleID: Int64? { environment == .production ? app.row.appAppleID : nil }
}
