public import PurchaseModel

/// The products of the sample, by name.
public enum MonkeyShopProduct {
    /// Five credits.
    public static let credits5: ProductID = "com.example.monkeyshop.credits5"
    /// Ten credits.
    public static let credits10: ProductID = "com.example.monkeyshop.credits10"
    /// A photo filter.
    public static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    /// Another photo filter.
    public static let moonlight: ProductID = "com.example.monkeyshop.filter.moonlight"
    /// A book, delivered by the server.
    public static let book: ProductID = "com.example.monkeyshop.book"
    /// A monthly magazine.
    public static let magazine: ProductID = "com.example.monkeyshop.magazine"
    /// A subscription that costs nothing.
    public static let newsletter: ProductID = "com.example.monkeyshop.newsletter"
    /// A season pass, which does not renew.
    public static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
    /// On the server's list, and not sold by the store.
    public static let winterHat: ProductID = "com.example.monkeyshop.hat.winter"
}
