import GRDB
import PurchaseModel
import PurchaseProtocol

/// A promoted in-app purchase that an account selected in the App Store and the app has not yet handled, as a row of the database.
struct PromotionRecord: Codable, Sendable, FetchableRecord {
    var id: Int64
    var productID: ProductID
    var offerID: String?

    /// The purchase intent as the device API returns it.
    var intent: PromotedPurchase {
        PromotedPurchase(id: id, productID: productID, offerID: offerID)
    }
}
