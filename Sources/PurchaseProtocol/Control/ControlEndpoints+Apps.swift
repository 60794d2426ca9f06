package import PurchaseModel

extension ControlEndpoints {
    /// The apps that the store sells for.
    package static let apps = Endpoint<Empty, AppsReply>(.get, "/control/v1/apps")
    /// Adds an app, or changes one.
    package static let setApp = Endpoint<AppRequest, AppDescription>(.post, "/control/v1/apps/{bundle}")
    /// What an app sells, as each country sees it.
    package static let products = Endpoint<Empty, ProductsReply>(.get, "/control/v1/apps/{bundle}/products")
}

/// The apps that a store sells for.
package struct AppsReply: Codable, Hashable, Sendable {
    /// By bundle identifier.
    package var apps: [AppDescription]

    /// Creates a reply.
    package init(apps: [AppDescription]) {
        self.apps = apps
    }
}

/// An app that the store sells for.
package struct AppDescription: Codable, Hashable, Sendable {
    /// The app.
    package var bundleID: BundleID
    /// The app's number in the App Store.
    package var appAppleID: Int64
    /// The version that devices get.
    package var version: String
    /// How many products it sells.
    package var productCount: Int
    /// Alpha-3 code of the country its catalog is priced for.
    package var storefront: String
    /// Whether `verifyReceipt` demands a password.
    package var hasSharedSecret: Bool
    /// Where notifications of the sandbox go.
    package var sandboxURL: String?
    /// Where notifications of production go.
    package var productionURL: String?
    /// 1 or 2.
    package var notificationVersion: Int

    /// Creates a description.
    package init(
        bundleID: BundleID, appAppleID: Int64, version: String, productCount: Int, storefront: String, hasSharedSecret: Bool,
        sandboxURL: String?, productionURL: String?, notificationVersion: Int
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.version = version
        self.productCount = productCount
        self.storefront = storefront
        self.hasSharedSecret = hasSharedSecret
        self.sandboxURL = sandboxURL
        self.productionURL = productionURL
        self.notificationVersion = notificationVersion
    }
}

/// What is to change about an app; what is nil stays.
package struct AppRequest: Codable, Hashable, Sendable {
    /// The app's number in the App Store.
    package var appAppleID: Int64?
    /// The version that devices get from now on.
    package var version: String?
    /// A `.storekit` file that takes the place of the catalog.
    package var storekit: JSONText?
    /// What `verifyReceipt` demands as `password`; empty for none.
    package var sharedSecret: String?
    /// Where notifications of the sandbox go; empty for nowhere.
    package var sandboxURL: String?
    /// Where notifications of production go; empty for nowhere.
    package var productionURL: String?
    /// 2, or 1 for servers that know nothing newer.
    package var notificationVersion: Int?
    /// In which order `latest_receipt_info` comes.
    package var receiptOrder: ReceiptInfoOrder?

    /// Creates a request that changes nothing.
    package init() {}
}
