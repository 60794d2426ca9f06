import PurchaseModel

/// What a call of the App Store Server API is about: the app of its token, in the environment of its address.
struct APIScope: Sendable {
    var app: StoreApp
    var environment: AppEnvironment

    var bundleID: BundleID { app.bundleID }

    /// The app's number, which is stated in production only.
    var appAppleID: Int64? { environment == .production ? app.row.appAppleID : nil }
}
