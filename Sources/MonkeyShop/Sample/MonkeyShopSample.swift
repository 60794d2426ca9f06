package import Foundation
import PrivateFiles
package import PurchaseModel

/// The sample's catalog and files: what a store sells, what a server knows, and what a book says.
package enum MonkeyShopSample {
    /// The app.
    package static let bundleID: BundleID = "com.example.monkeyshop"
    /// The app's version.
    package static let version = "1.0"
    /// The name of the book's file in the server's content folder.
    package static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// What the store sells: a `.storekit` file.
    package static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's master list of products; it names one that the store does not sell yet.
    package static var products: Data { Data(PackageResources.products_json) }

    /// Writes the sample's files into a server's content folder.
    package static func writeContent(to folder: String) throws {
        try PrivateFiles.makeFolder(folder)
        let path = "\(folder)/\(bookFile)"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try DurableFile.replace(path, with: Data(MonkeyShopBook.text.utf8))
    }
}
