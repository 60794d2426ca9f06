package import Foundation
import PrivateFiles
package import PurchaseModel

/// The data of the sample app: its identifiers, `.storekit` file, product list and content.
package enum MonkeyShopSample {
    /// The bundle ID of the sample app.
    package static let bundleID: BundleID = "com.example.monkeyshop"
    /// The version of the sample app.
    package static let version = "1.0"
    /// The name of the book's file in the server's content folder.
    package static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// The `.storekit` file with the catalog of the local store.
    package static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's products file in JSON, with one product that the store does not sell.
    package static var products: Data { Data(PackageResources.products_json) }

    /// Writes the book into a server's content folder, unless it is there already.
    package static func writeContent(to folder: String) throws {
        try PrivateFiles.createFolder(folder)
        let path = "\(folder)/\(bookFile)"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try DurableFile.replace(path, with: Data(MonkeyShopBook.text.utf8))
    }
}
