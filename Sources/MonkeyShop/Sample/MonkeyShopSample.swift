package import Foundation
import PrivateFiles
package import PurchaseModel

/// The sample's `.storekit` file, product list and content.
package enum MonkeyShopSample {
    /// The bundle ID of the app.
    package static let bundleID: BundleID = "com.example.monkeyshop"
    /// The app's version.
    package static let version = "1.0"
    /// The name of the book's file in the server's content folder.
    package static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// The store's catalog, a `.storekit` file.
    package static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's list of products, including one that the store does not sell.
    package static var products: Data { Data(PackageResources.products_json) }

    /// Writes the sample's files into a server's content folder.
    package static func writeContent(to folder: String) throws {
        try PrivateFiles.createFolder(folder)
        let path = "\(folder)/\(bookFile)"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try DurableFile.replace(path, with: Data(MonkeyShopBook.text.utf8))
    }
}
