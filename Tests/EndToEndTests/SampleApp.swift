import Foundation
import PurchaseModel

/// The catalog and the products of the sample app, whose code these tests do not use.
enum SampleApp {
    static let bundleID: BundleID = "com.example.monkeyshop"
    static let credits5: ProductID = "com.example.monkeyshop.credits5"
    static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    static let book: ProductID = "com.example.monkeyshop.book"
    static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// The name of the book's file in the content folder of the server.
    static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// The products file of the server.
    static var products: Data {
        get throws {
            let path = "../../../Examples/MonkeyShop/App/Resources/products.json"
            return try Data(contentsOf: URL(filePath: #filePath).appending(path: path).standardizedFileURL)
        }
    }
}
