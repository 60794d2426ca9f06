public import Foundation
public import PurchaseKit

/// The data of the sample app: its identifiers, and the catalogs of the local store and of the server.
public enum MonkeyShopSample {
    /// The bundle ID of the sample app.
    public static let bundleID: BundleID = "com.example.monkeyshop"
    /// The version of the sample app.
    public static let version = "1.0"
    /// The `.storekit` file with the catalog of the local store.
    public static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's products file in JSON, with one product that the store does not sell.
    public static var products: Data { Data(PackageResources.products_json) }
}
