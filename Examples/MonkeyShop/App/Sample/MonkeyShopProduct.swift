package import PurchaseModel

/// The product IDs of the sample app.
package enum MonkeyShopProduct {
    /// A consumable: five credits.
    package static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// A consumable: ten credits.
    package static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A non-consumable: the photo filter Sepia.
    package static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// A non-consumable: the photo filter Moonlight.
    package static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A non-consumable: a book, whose content the developer's server delivers.
    package static let book: ProductID = "com.example.monkeyshop.book"
    /// A non-consumable: a large book, whose content the person downloads when it suits.
    package static let atlas: ProductID = "com.example.monkeyshop.book.atlas"
    /// A non-consumable: a book whose content the App Store hosts.
    package static let songs: ProductID = "com.example.monkeyshop.book.songs"
    /// An auto-renewable subscription: a monthly magazine.
    package static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// An auto-renewable subscription at a higher service level: the magazine with its archive; the first week is free.
    package static let magazinePlus: ProductID = "com.example.monkeyshop.magazine.plus"
    /// A free subscription: a newsletter.
    package static let newsletter: ProductID = "com.example.monkeyshop.newsletter"
    /// A non-renewing subscription: a season pass for three months.
    package static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
    /// A product in the server's list that the store does not sell, and that the app does not know.
    package static let winterHat: ProductID = "com.example.monkeyshop.hat.winter"

    /// The products that the app's screens show; it also sells others that the server lists.
    package static let all = [
        credits5, credits10, sepia, moonlight, book, atlas, songs, magazine, magazinePlus, newsletter, summerPass,
    ]
}
