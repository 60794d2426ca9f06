public import Foundation
import PrivateFiles
public import PurchaseModel

/// The sample's catalogue and files: what a store sells, what a server knows, and what a book says.
public enum MonkeyShopSample {
    /// The app.
    public static let bundleID: BundleID = "com.example.monkeyshop"
    /// The app's version.
    public static let version = "1.0"
    /// The name of the book's file in the server's content folder.
    public static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// What the store sells: a `.storekit` file.
    public static var storekit: Data { Data(PackageResources.MonkeyShop_storekit) }

    /// The server's master list of products; it names one that the store does not sell yet.
    public static var products: Data { Data(PackageResources.products_json) }

    /// Writes the sample's files into a server's content folder.
    public static func writeContent(to folder: String) throws {
        try PrivateFiles.makeFolder(folder)
        let path = "\(folder)/\(bookFile)"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try DurableFile.replace(path, with: Data(MonkeyShopBook.text.utf8))
    }
}
