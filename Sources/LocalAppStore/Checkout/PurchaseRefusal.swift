/// Why the store will not sell; the customer sees the sentence, the app the code of `SKError`.
enum PurchaseRefusal: Error, Equatable {
    /// The store has no such product.
    case productUnknown
    /// Less than one, more than ten, or more than one of something that is owned once.
    case quantity
    /// The customer of the developer's server is not a UUID.
    case appAccountToken
    /// The price of so many does not fit.
    case total
    /// The customer holds a subscription of this group. Switching between its products is not sold here, so it is refused
    /// rather than charged twice.
    case alreadySubscribed
    /// A parent declined this payment.
    case declined

    /// `SKError`: 0 unknown, 3 paymentInvalid, 5 storeProductNotAvailable.
    var code: Int {
        switch self {
        case .productUnknown: 5
        case .quantity, .appAccountToken, .total: 3
        case .alreadySubscribed, .declined: 0
        }
    }

    /// A sentence for the customer.
    var message: String {
        switch self {
        case .productUnknown: "This product is not available in the store."
        case .quantity: "This quantity of the product cannot be bought in one payment."
        case .appAccountToken: "The payment names a customer in a form that the store does not take."
        case .total: "The price of this quantity is out of range."
        case .alreadySubscribed: "You are already subscribed."
        case .declined: "The request to buy this was declined."
        }
    }
}
