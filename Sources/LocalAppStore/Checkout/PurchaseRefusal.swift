import PurchaseModel

/// The reason for which the store refuses a purchase; the user sees the sentence, and the app gets the code of `SKError`.
enum PurchaseRefusal: Error, Equatable {
    /// The store does not sell the product.
    case productUnknown
    /// The device's restrictions forbid purchases.
    case restricted
    /// The quantity is less than one, more than ten, or more than one for a product that an account can own only once.
    case quantity
    /// The app account token is not a UUID.
    case appAccountToken
    /// The total price exceeds the range of the number type.
    case total
    /// The account already has this subscription.
    case alreadySubscribed
    /// A parent declined this payment.
    case declined
    /// The payment method declined the charge.
    case cardDeclined
    /// The purchase is interrupted; the payment continues after the issue is resolved.
    case interrupted
    /// The product does not have the offer.
    case offerUnknown
    /// The account is not eligible for the offer.
    case offerRefused(OfferRefusal)
    /// The promotional offer has no signature of the developer's server.
    case offerUnsigned
    /// The signature of the developer's server is invalid; the associated value is a sentence with the reason.
    case offerSignature(String)
    /// A test simulates the error.
    case simulated(code: Int, message: String)

    /// The code of `SKError`: 0 unknown, 3 paymentInvalid, 4 paymentNotAllowed, 5 storeProductNotAvailable, 11 invalidOfferIdentifier, 12
    /// invalidSignature, 13 missingOfferParams, 18 ineligibleForOffer.
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

    /// A sentence for the user.
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
    /// A sentence for the user.
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
