package import Foundation
import PrivateFiles
package import PurchaseModel

/// The data of the sample app: its identifiers, `.storekit` file, product list and content.
package enum MonkeyShopSample {
    /// The bundle ID of the sample app.
    package static let bundleID: BundleID = "com.example.monkeyshop"
    /// The version of the sample app.
    package static let version = "1.0"
    /// The `.storekit` file with the catalog of the local store.
    package static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's products file in JSON, with one product that the store does not sell.
    package static var products: Data { Data(PackageResources.products_json) }

    /// Writes the books into a server's content folder that are not there already.
    package static func writeContent(to folder: String) throws {
        try PrivateFiles.createFolder(folder)
        for book in MonkeyShopBook.allCases {
            guard let file = book.file, !FileManager.default.fileExists(atPath: "\(folder)/\(file)") else { continue }
            try DurableFile.replace("\(folder)/\(file)", with: Data(book.text.utf8))
        }
    }
}
