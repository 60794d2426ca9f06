import PurchaseModel

/// A payment as the app added it, before it has an order number.
struct PaymentRequest: Sendable {
    let id: PaymentID
    let productID: ProductID
    let quantity: Int
    let username: String?
    let product: StoreProduct?
    var offer: OfferChoice? = nil
    /// Whether the payment is to wait for a parent in the sandbox, whatever the account says.
    var simulatesAskToBuy = false
    /// Whether StoreKit 2's purchase call waits for it.
    var isCall = false

    /// The record with which the payment enters the queue.
    func record(sequence: Int64) -> PaymentRecord {
        PaymentRecord(
            id: id,
            sequence: sequence,
            productID: productID,
            quantity: quantity,
            username: username,
            product: product,
            state: .queued,
            offer: offer,
            isCall: isCall ? true : nil,
            simulatesAskToBuy: simulatesAskToBuy ? true : nil
        )
    }
}
