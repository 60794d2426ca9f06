import PurchaseModel

/// The app of issued samples: MonkeyShop, the sample app of Tillroll.
enum SampleApp {
    static let bundleID: BundleID = "com.example.monkeyshop"
    static let version = "1.0"
    static let credits5: ProductID = "com.example.monkeyshop.credits5"
    static let credits10: ProductID = "com.example.monkeyshop.credits10"
    static let sepia: ProductID = "com.example.monkeyshop.filter.sepia"
    static let book: ProductID = "com.example.monkeyshop.book"
    static let magazine: ProductID = "com.example.monkeyshop.magazine"
    static let summerPass: ProductID = "com.example.monkeyshop.pass.summer"
}
