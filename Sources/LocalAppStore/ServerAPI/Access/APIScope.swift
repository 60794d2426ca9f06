import PurchaseModel

/// The app and the environment that a request to the App Store Server API concerns.
///
/// The app comes from the request's token, and the environment from its URL.
struct APIScope: Sendable {
    var app: StoreApp
    var environment: AppEnvironment

    var bundleID: BundleID { app.bundleID }

    /// The app's `appAppleId` for a response; nil in the sandbox, whose responses do not contain it.
    var appAppleID: Int64? { environment == .production ? app.row.appAppleID : nil }
}
