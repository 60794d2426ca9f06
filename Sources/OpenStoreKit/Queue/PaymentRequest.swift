import PurchaseModel

/// A payment as the app added it, before it has an order number.
struct PaymentRequest: Sendable {
    let id: PaymentID
    let productID: ProductID
    let quantity: Int
    let username: String?
    let product: StoreProduct?
    var offer: OfferChoice?
    /// Whether the payment asks for a parent's approval whatever the account says; for tests.
    var simulatesAskToBuy = false

    /// The record with which the payment enters the queue.
    func record(sequence: Int64) -> PaymentRecord {
        PaymentRecord(
            id: id,
            sequence: sequence,
            productID: productID,
            quantity: quantity,
            username: username,
            product: product,
            state: .queued
        )
    }
}
