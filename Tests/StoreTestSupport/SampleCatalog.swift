package import Foundation
package import PurchaseModel

/// The catalog of the sample app, a `.storekit` file with products of each type.
package enum SampleCatalog {
    /// The version of the app in tests.
    package static let appVersion = "1.0"

    /// The contents of the `.storekit` file.
    package static var storekit: Data {
        get throws {
            // The file is read at run time, so that a change of the sample's catalog rebuilds no tests.
            try Data(
                contentsOf: URL(filePath: #filePath).resolvingSymlinksInPath()
                    .appending(path: "../../../Examples/MonkeyShop/App/Resources/MonkeyShop.storekit").standardizedFileURL)
        }
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
