public import Foundation

extension Product {
    /// The reason why the store or the device refuses a purchase.
    public enum PurchaseError: Error, Hashable, Sendable {
        /// The quantity is not from 1 to 10, or the product type does not allow more than 1.
        case invalidQuantity
        /// The store does not sell the product.
        case productUnavailable
        /// The user is not allowed to make payments.
        case purchaseNotAllowed
        /// The user is not eligible for the subscription offer.
        case ineligibleForOffer
        /// The product has no offer with the identifier in the purchase options.
        case invalidOfferIdentifier
        /// The price of the offer is not valid or no longer valid.
        case invalidOfferPrice
        /// The signature of the promotional offer is not valid.
        case invalidOfferSignature
        /// A parameter of the promotional offer is missing, such as the signature.
        case missingOfferParameters
        /// The account needs a payment method, which the app binds with ``PaymentMethodBinding``.
        case paymentMethodBindingConfigurationRequired
        /// The product is not sold in seats (iOS 27.3 beta).
        case multiSeatPurchaseDisabled
        /// The number of seats is lower than the number of seats of the subscription (iOS 27.3 beta).
        case seatReductionNotAllowed
    }
}

extension Product.PurchaseError: LocalizedError {
    /// A message that describes the error.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "The quantity is not valid for this product."
        case .productUnavailable: "Item Unavailable"
        case .purchaseNotAllowed: "Purchases are not allowed on this device."
        case .ineligibleForOffer: "Your account is not eligible for this subscription offer."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters:
            "The subscription offer for this purchase is not valid."
        case .paymentMethodBindingConfigurationRequired: "Your account needs a payment method for this purchase."
        case .multiSeatPurchaseDisabled: "This product can't be purchased with several seats."
        case .seatReductionNotAllowed: "A purchase can't reduce the number of seats."
        }
    }

    /// A message that describes the cause of the error.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity is not from 1 to 10, or the product type allows only a quantity of 1."
        case .productUnavailable: "The store does not sell this product."
        case .purchaseNotAllowed: "The device's restrictions forbid purchases."
        case .ineligibleForOffer: "The account's purchase history does not meet the conditions of the offer."
        case .invalidOfferIdentifier: "The product has no offer with this identifier."
        case .invalidOfferPrice: "The price of the offer is not valid or no longer valid."
        case .invalidOfferSignature: "The signature of the promotional offer is not valid."
        case .missingOfferParameters: "A parameter of the promotional offer is missing, such as the signature."
        case .paymentMethodBindingConfigurationRequired: "No payment method is bound to the account."
        case .multiSeatPurchaseDisabled: "The store does not sell seats of this product."
        case .seatReductionNotAllowed: "The number of seats is lower than the number of seats of the subscription."
        }
    }

    /// A message that suggests how to resolve the error; nil when no remedy is known.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity: "Choose another quantity, such as 1."
        case .productUnavailable: "Try again later, or choose another product."
        case .purchaseNotAllowed: "Allow in-app purchases in the device's settings."
        case .paymentMethodBindingConfigurationRequired: "Add a payment method to your account."
        case .multiSeatPurchaseDisabled: "Purchase the product without seats."
        case .seatReductionNotAllowed: "Reduce the number of seats in the settings of your subscriptions."
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: nil
        }
    }
}
