import PurchaseModel
import StoreProtocol

/// A reason for which the store refuses a purchase.
///
/// The user sees ``message``, and the app gets ``code`` as the code of `SKError`.
enum PurchaseRefusal: Error, Equatable {
    /// The store does not sell the product in the account's storefront.
    case productUnavailable
    /// The device's restrictions forbid purchases.
    case purchaseNotAllowed
    /// The quantity is less than one, more than ten, or more than one for a product that an account can own only once.
    case invalidQuantity
    /// The app account token is not a UUID.
    case invalidAppAccountToken
    /// The total price exceeds the range of the number type.
    case priceOutOfRange
    /// The account already has this subscription.
    case alreadySubscribed
    /// A parent declined the payment (Ask to Buy).
    case declined
    /// The payment method declined the charge.
    case paymentMethodDeclined
    /// The purchase is interrupted until the account resolves an issue; the store then completes the payment.
    case interrupted
    /// The product does not have the requested offer.
    case invalidOfferIdentifier
    /// The product does not have the requested billing plan.
    case billingPlanUnavailable
    /// The store does not sell the product in seats.
    case seatsUnavailable
    /// The account has more seats than it requested; it reduces them at the renewal.
    case seatReductionNotAllowed
    /// The account is not eligible for the requested offer.
    case ineligibleForOffer(OfferRefusal)
    /// The app requested a promotional offer without a complete signature of the developer's server.
    case missingOfferParameters
    /// The developer's server signed the offer incorrectly; the associated value is a sentence with the reason.
    case invalidOfferSignature(String)
    /// A test simulates the error, with the code of `SKError` and the message.
    case simulated(code: Int, message: String)

    /// The code of the app's `SKError`.
    ///
    /// The codes are 0 unknown, 3 paymentInvalid, 4 paymentNotAllowed, 5 storeProductNotAvailable, 11 invalidOfferIdentifier, 12
    /// invalidSignature, 13 missingOfferParams, and 18 ineligibleForOffer.
    var code: Int {
        switch self {
        case .productUnavailable, .billingPlanUnavailable: 5
        case .purchaseNotAllowed: 4
        case .invalidQuantity, .invalidAppAccountToken, .priceOutOfRange: 3
        case .alreadySubscribed, .declined, .paymentMethodDeclined, .interrupted: 0
        case .seatsUnavailable: PurchaseReply.multiSeatPurchaseDisabled
        case .seatReductionNotAllowed: PurchaseReply.seatReductionNotAllowed
        case .invalidOfferIdentifier: 11
        case .ineligibleForOffer: 18
        case .missingOfferParameters: 13
        case .invalidOfferSignature: 12
        case .simulated(let code, _): code
        }
    }

    /// A sentence that explains the refusal to the user.
    var message: String {
        switch self {
        case .productUnavailable: "This product is not available in the store."
        case .purchaseNotAllowed: "Purchases are not allowed on this device."
        case .invalidQuantity: "This quantity of the product is not allowed in one payment."
        case .invalidAppAccountToken: "The app account token must be a UUID."
        case .priceOutOfRange: "The price of this quantity is out of range."
        case .alreadySubscribed: "You are already subscribed."
        case .declined: "A parent declined the request to buy this product."
        case .paymentMethodDeclined: "Your payment method was declined. Update your payment information and try again."
        case .interrupted: "Resolve the issue in the App Store to continue this purchase."
        case .invalidOfferIdentifier: "The product does not have this offer."
        case .billingPlanUnavailable: "The product does not have this billing plan."
        case .seatsUnavailable: "The product is not sold in seats."
        case .seatReductionNotAllowed: "You have more seats than you requested. Reduce their number at the next renewal."
        case .ineligibleForOffer(let refusal): refusal.message
        case .missingOfferParameters: "A promotional offer requires a signature of the developer's server."
        case .invalidOfferSignature(let reason): "The signature of the offer is invalid: \(reason)"
        case .simulated(_, let message): message
        }
    }
}

extension OfferRefusal {
    /// A sentence that explains the refusal to the user.
    fileprivate var message: String {
        switch self {
        case .introductoryOfferUsed: "The introductory offer has already been used."
        case .neverSubscribed: "This offer is for previous subscribers only."
        case .subscribed: "This offer is not for current subscribers."
        case .notSubscribed: "This offer is for current subscribers only."
        case .disabled: "The offer's eligibility is disabled in the test configuration."
        case .oneTimePurchaseOnly: "This offer is for one-time purchases only."
        }
    }
}
