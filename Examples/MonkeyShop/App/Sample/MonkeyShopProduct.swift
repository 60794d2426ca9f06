public import PurchaseKit

/// The product IDs of the sample app.
public enum MonkeyShopProduct {
    /// A consumable: five credits.
    public static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// A consumable: ten credits.
    public static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A non-consumable: the photo filter Sepia.
    public static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// A non-consumable: the photo filter Moonlight.
    public static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A non-consumable: a book, whose content the developer's server delivers.
    public static let book: ProductID = "com.example.monkeyshop.book"
    /// A non-consumable: a large book, whose content the user downloads on request.
    public static let atlas: ProductID = "com.example.monkeyshop.book.atlas"
    /// A non-consumable: a book whose content the App Store hosts.
    public static let songs: ProductID = "com.example.monkeyshop.book.songs"
    /// An auto-renewable subscription: a monthly magazine.
    public static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// An auto-renewable subscription at a higher service level: the magazine with its archive; the first week is free.
    public static let magazinePlus: ProductID = "com.example.monkeyshop.magazine.plus"
    /// A free subscription: a newsletter.
    public static let newsletter: ProductID = "com.example.monkeyshop.newsletter"
    /// A non-renewing subscription: a season pass for three months.
    public static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
    /// A product that the server's list contains and the store's catalog lacks.
    public static let winterHat: ProductID = "com.example.monkeyshop.hat.winter"

    /// The products with a fixed place on the app's screens; the app also sells other products of the server's list.
    public static let all = [
        credits5, credits10, sepia, moonlight, book, atlas, songs, magazine, magazinePlus, newsletter, summerPass,
    ]
}
