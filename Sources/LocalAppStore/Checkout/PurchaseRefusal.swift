import PurchaseModel

/// Why the store will not sell; the customer sees the sentence, the app the code of `SKError`.
enum PurchaseRefusal: Error, Equatable {
    /// The store has no such product.
    case productUnknown
    /// Purchases are forbidden on the device.
    case restricted
    /// Less than one, more than ten, or more than one of something that is owned once.
    case quantity
    /// The customer of the developer's server is not a UUID.
    case appAccountToken
    /// The price of so many does not fit.
    case total
    /// The customer holds this subscription already.
    case alreadySubscribed
    /// A parent declined this payment.
    case declined
    /// The card could not be charged.
    case cardDeclined
    /// Something else has to be done first; then the payment goes on.
    case interrupted
    /// The product has no such offer.
    case offerUnknown
    /// The customer cannot have the offer.
    case offerRefused(OfferRefusal)
    /// A promotional offer came without what the developer's server signs.
    case offerUnsigned
    /// What the developer's server signed is not right; the sentence says why.
    case offerSignature(String)
    /// A test wants it so.
    case simulated(code: Int, message: String)

    /// `SKError`: 0 unknown, 3 paymentInvalid, 4 paymentNotAllowed, 5 storeProductNotAvailable, 11 invalidOfferIdentifier,
    /// 12 invalidSignature, 13 missingOfferParams, 18 ineligibleForOffer.
    var code: Int {
        switch self {
        case .productUnknown: 5
        case .restricted: 4
        case .quantity, .appAccountToken, .total: 3
        case .alreadySubscribed, .declined, .cardDeclined, .interrupted: 0
        case .offerUnknown: 11
        case .offerRefused: 18
        case .offerUnsigned: 13
        case .offerSignature: 12
        case .simulated(let code, _): code
        }
    }

    /// A sentence for the customer.
    var message: String {
        switch self {
        case .productUnknown: "This product is not available in the store."
        case .restricted: "Purchases are not allowed on this device."
        case .quantity: "This quantity of the product cannot be bought in one payment."
        case .appAccountToken: "The payment names a customer in a form that the store does not take."
        case .total: "The price of this quantity is out of range."
        case .alreadySubscribed: "You are already subscribed."
        case .declined: "The request to buy this was declined."
        case .cardDeclined: "Your payment method was declined. Update your payment information and try again."
        case .interrupted: "Something has to be confirmed in the store before this purchase can go on."
        case .offerUnknown: "The product has no such offer."
        case .offerRefused(let refusal): refusal.message
        case .offerUnsigned: "A promotional offer needs the signature of the developer's server."
        case .offerSignature(let reason): "The signature of the offer is not right: \(reason)"
        case .simulated(_, let message): message
        }
    }
}

extension OfferRefusal {
    /// A sentence for the customer.
    fileprivate var message: String {
        switch self {
        case .introductoryUsed: "The introductory offer was used before."
        case .neverSubscribed: "This offer is for customers who were subscribed before."
        case .subscribed: "This offer is for customers who are not subscribed."
        case .lapsed: "This offer is for customers who are subscribed."
        case .switchedOff: "This offer is not for you."
        case .notForSubscriptions: "This offer is not for subscriptions."
        }
    }
}
