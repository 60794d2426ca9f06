import GRDB
import PurchaseModel
import PurchaseProtocol

/// A promoted in-app purchase that the store offers to an account.
struct PromotionRecord: Codable, Sendable, FetchableRecord {
    var id: Int64
    var productID: ProductID
    var offerID: String?

    /// The purchase intent in the device API's format.
    var intent: PromotedPurchase {
        PromotedPurchase(id: id, productID: productID, offerID: offerID)
    }
}
