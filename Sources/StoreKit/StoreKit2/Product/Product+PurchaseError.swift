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
        }
    }

    /// A message that suggests how to resolve the error; nil when no remedy is known.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity: "Choose another quantity, such as 1."
        case .productUnavailable: "Try again later, or choose another product."
        case .purchaseNotAllowed: "Allow in-app purchases in the device's settings."
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: nil
        }
    }
}
