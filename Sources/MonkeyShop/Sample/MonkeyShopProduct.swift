package import PurchaseModel

/// The products of the sample, by name.
package enum MonkeyShopProduct {
    /// Five credits.
    package static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// Ten credits.
    package static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A photo filter.
    package static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// Another photo filter.
    package static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A book, whose content the server delivers.
    package static let book: ProductID = "com.example.monkeyshop.book"
    /// A monthly magazine.
    package static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// A free subscription.
    package static let newsletter: ProductID = "com.example.monkeyshop.newsletter"
    /// A season pass, which does not renew.
    package static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
    /// A product in the server's list that the store does not sell.
    package static let winterHat: ProductID = "com.example.monkeyshop.hat.winter"
}
