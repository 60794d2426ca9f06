public import Foundation
package import FoundationExtras
public import PurchaseModel
package import Wire

extension ControlEndpoints {
    /// Lists the apps of a local store.
    package static let apps = Endpoint<Empty, AppsReply>(.get, "/control/v1/apps")
    /// Adds an app to a local store, or changes an existing app.
    package static let setApp = Endpoint<AppRequest, AppDescription>(.post, "/control/v1/apps/{bundle}")
    /// Lists the products of an app, with their prices in each storefront.
    package static let products = Endpoint<Empty, ProductsReply>(.get, "/control/v1/apps/{bundle}/products")
    /// Reads the catalog of an app as a `.storekit` file, with the keys that the store does not use.
    package static let storekit = Endpoint<Empty, JSONText>(.get, "/control/v1/apps/{bundle}/storekit")
}

/// The apps of a store.
package struct AppsReply: Codable, Hashable, Sendable {
    /// The apps, sorted by bundle identifier.
    package var apps: [AppDescription]

    /// Creates a reply.
    package init(apps: [AppDescription]) {
        self.apps = apps
    }
}

/// An app of a local store.
public struct AppDescription: Codable, Hashable, Sendable {
    /// The app's bundle identifier.
    public var bundleID: BundleID
    /// The app's Apple ID in the App Store.
    public var appAppleID: Int64
    /// The version of the app that devices download.
    public var version: String
    /// The number of the app's products.
    public var productCount: Int
    /// The alpha-3 code of the storefront for which the app's catalog states prices.
    public var storefront: String
    /// The ISO 4217 code of the currency of the catalog's prices.
    public var currency: String
    /// Whether `verifyReceipt` requires the app's shared secret as `password`.
    public var hasSharedSecret: Bool
    /// The URL for notifications of the sandbox environment; nil to send none.
    public var sandboxURL: String?
    /// The URL for notifications of the production environment; nil to send none.
    public var productionURL: String?
    /// The version of App Store Server Notifications: 1 or 2.
    public var notificationVersion: Int

    /// Creates a description.
    package init(
        bundleID: BundleID, appAppleID: Int64, version: String, productCount: Int, storefront: String, currency: String,
        hasSharedSecret: Bool, sandboxURL: String?, productionURL: String?, notificationVersion: Int
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.version = version
        self.productCount = productCount
        self.storefront = storefront
        self.currency = currency
        self.hasSharedSecret = hasSharedSecret
        self.sandboxURL = sandboxURL
        self.productionURL = productionURL
        self.notificationVersion = notificationVersion
    }
}

/// A request to add or change an app.
///
/// Members that are nil stay unchanged.
public struct AppRequest: Codable, Hashable, Sendable {
    /// The app's Apple ID in the App Store; nil for no change.
    public var appAppleID: Int64?
    /// The version of the app that devices download from now on; nil for no change.
    public var version: String?
    /// The JSON value of ``storekitFile``.
    package var storekit: JSONText?
    /// The shared secret that `verifyReceipt` requires as `password`; empty for none, nil for no change.
    public var sharedSecret: String?
    /// The URL for notifications of the sandbox environment; empty to send none, nil for no change.
    public var sandboxURL: String?
    /// The URL for notifications of the production environment; empty to send none, nil for no change.
    public var productionURL: String?
    /// The version of App Store Server Notifications: 2, or 1 for servers that support only version 1; nil for no change.
    public var notificationVersion: Int?
    /// The order of the transactions in `latest_receipt_info` of `verifyReceipt`; nil for no change.
    public var receiptOrder: ReceiptInfoOrder?
    /// Whether a device's purchase of a consumable returns an unfinished transaction instead of a charge; nil for no change.
    public var restoresUnfinishedConsumables: Bool?

    /// The contents of a `.storekit` file, which replaces the app's catalog; nil for no change.
    public var storekitFile: Data? {
        get { storekit?.data }
        set { storekit = newValue.map { JSONText($0) } }
    }

    /// Creates a request without changes; set the members to change.
    public init() {}
}
