import GRDB
import PurchaseModel
import PurchaseProtocol

/// A product that the store offered to an account of its own accord.
struct PromotionRecord: Codable, Sendable, FetchableRecord {
    var id: Int64
    var productID: ProductID
    var offerID: String?

    /// The offer as a device gets it.
    var intent: PromotedPurchase {
        PromotedPurchase(id: id, productID: productID, offerID: offerID)
    }
}
