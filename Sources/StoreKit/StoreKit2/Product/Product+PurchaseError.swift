public import Foundation

extension Product {
    /// An error of a purchase that the store or the device refuses.
    public enum PurchaseError: Error, Hashable, Sendable {
        /// The quantity is not valid for the product.
        case invalidQuantity
        /// The store does not sell the product.
        case productUnavailable
        /// The user is not allowed to make payments.
        case purchaseNotAllowed
        /// The user is not eligible for the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The offer's price is not valid.
        case invalidOfferPrice
        /// The offer's signature is not valid.
        case invalidOfferSignature
        /// A parameter of the offer is missing, such as the signature.
        case missingOfferParameters
    }
}

extension Product.PurchaseError: LocalizedError {
    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .invalidQuantity: "The quantity is not valid."
        case .productUnavailable: "Item Unavailable"
        case .purchaseNotAllowed: "Purchases are not allowed."
        case .ineligibleForOffer: "The account is not eligible for this offer."
        case .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters: "The offer is not valid."
        }
    }

    /// A sentence that describes the cause.
    public var failureReason: String? {
        switch self {
        case .invalidQuantity: "The quantity is not from 1 to 10, or the product allows only a quantity of 1."
        case .productUnavailable: "The store does not sell the product."
        case .purchaseNotAllowed: "The device's restrictions forbid purchases."
        case .ineligibleForOffer: "The account does not fulfill the offer's conditions."
        case .invalidOfferIdentifier: "The product has no offer with this identifier."
        case .invalidOfferPrice: "The offer's price is no longer valid."
        case .invalidOfferSignature: "The offer's signature is not valid."
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
