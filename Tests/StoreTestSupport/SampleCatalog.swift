package import Foundation
package import PurchaseModel

/// The catalog of the sample app: a `.storekit` file with products of each type, and the products file of the server.
package enum SampleCatalog {
    /// The version of the app in tests.
    package static let appVersion = "1.0"
    /// The name of the book's file in the content folder of the server.
    package static let bookFile = "the-monkey-who-kept-receipts.txt"

    /// The contents of the `.storekit` file.
    package static var storekit: Data {
        get throws { try file("MonkeyShop.storekit") }
    }

    /// The contents of the products file of the server.
    package static var products: Data {
        get throws { try file("products.json") }
    }

    /// Reads a file of the sample app at run time, so that a change of the sample rebuilds no tests.
    private static func file(_ name: String) throws -> Data {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: tests.appending(path: "../Examples/MonkeyShop/App/Resources/\(name)").standardizedFileURL)
    }
}

/// Product identifiers of the sample app's catalog.
package enum SampleProduct {
    /// A consumable: five credits.
    package static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// A consumable: ten credits.
    package static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A non-consumable: a photo filter.
    package static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// A non-consumable: another photo filter.
    package static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A non-consumable: a book.
    package static let book: ProductID = "com.example.monkeyshop.book"
    /// An auto-renewable subscription: a monthly magazine.
    package static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// An auto-renewable subscription at a higher service level, with a free first week.
    package static let magazinePlus: ProductID = "com.example.monkeyshop.magazine.plus"
    /// A product that the catalog does not have.
    package static let winterHat: ProductID = "com.example.monkeyshop.hat.winter"
}
