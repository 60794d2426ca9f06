public import Foundation

extension Product {
    /// The reason why the store refuses a purchase.
    public enum PurchaseError: Error, Hashable, Sendable {
        /// This many can't be bought.
        case invalidQuantity
        /// The store does not sell the product.
        case productUnavailable
        /// The user is not allowed to make payments.
        case purchaseNotAllowed
        /// The user may not have the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer's price is not valid.
        case invalidOfferPrice
        /// The offer's signature is not valid.
        case invalidOfferSignature
        /// The offer lacks what goes with it, such as its signature.
        case missingOfferParameters
    }
}

extension Product.PurchaseError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "This quantity can't be bought."
        case .productUnavailable: "Item Unavailable"
        case .purchaseNotAllowed: "Purchases are not allowed."
        case .ineligibleForOffer: "This offer is not for this account."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: "The offer is not valid."
        }
    }

    /// Why, in a sentence.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity is out of range, or the product is bought one at a time."
        case .productUnavailable: "The store does not sell it."
        case .purchaseNotAllowed: "The device's restrictions forbid purchases."
        case .ineligibleForOffer: "The account does not fulfill the offer's conditions."
        case .invalidOfferIdentifier: "The product has no offer of that name."
        case .invalidOfferPrice: "The offer's price is no longer valid."
        case .invalidOfferSignature: "The offer's signature is not right."
        case .missingOfferParameters: "The offer's signature is missing."
        }
    }

    /// A sentence with a remedy; nil when none is known.
    public var recoverySuggestion: String? {
        switch self {
        case .invalidQuantity: "Choose another quantity."
        case .productUnavailable: "Try again later."
        case .purchaseNotAllowed: "Allow purchases in the device's settings."
        case .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: nil
        }
    }
}
