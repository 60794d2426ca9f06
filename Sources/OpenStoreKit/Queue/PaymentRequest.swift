package import PurchaseModel
package import PurchaseProtocol

/// A payment that the app adds to the payment queue.
package struct PaymentRequest: Sendable {
    package let id: PaymentID
    let productID: ProductID
    let quantity: Int
    let username: String?
    let product: StoreProduct?
    let offer: OfferChoice?
    /// Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    let simulatesAskToBuy: Bool
    /// Whether StoreKit 2's purchase call waits for the result.
    var isPurchaseCall = false

    /// Creates a request for a payment.
    ///
    /// - Parameters:
    ///   - product: The store's description of the product; nil if it is not available.
    ///   - simulatesAskToBuy: Whether the payment needs a parent's approval in the sandbox, regardless of the account.
    package init(
        id: PaymentID, productID: ProductID, quantity: Int, username: String?, product: StoreProduct?, offer: OfferChoice? = nil,
        simulatesAskToBuy: Bool = false
    ) {
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.username = username
        self.product = product
        self.offer = offer
        self.simulatesAskToBuy = simulatesAskToBuy
    }

    /// Returns the record with which the payment enters the payment queue.
    ///
    /// - Parameter sequence: The position in the order in which payments were added.
    package func record(sequence: Int64) -> PaymentRecord {
        PaymentRecord(
            id: id,
            sequence: sequence,
            productID: productID,
            quantity: quantity,
            username: username,
            product: product,
            state: .queued,
            offer: offer,
            isPurchaseCall: isPurchaseCall,
            simulatesAskToBuy: simulatesAskToBuy
        )
    }
}
