import Foundation
import OpenStoreKit

/// The StoreKit 2 form of a failed payment.
enum PurchaseRefusal {
    case cancelled
    case purchase(Product.PurchaseError)
    case storeKit(StoreKitError)

    /// Sorts a failure by StoreKit 1's code.
    init(_ failure: PaymentFailure) {
        self =
            switch failure.storeKitCode {
            case .paymentCancelled: .cancelled
            case .paymentInvalid: .purchase(.invalidQuantity)
            case .paymentNotAllowed: .purchase(.purchaseNotAllowed)
            case .storeProductNotAvailable: .purchase(.productUnavailable)
            case .invalidOfferIdentifier: .purchase(.invalidOfferIdentifier)
            case .invalidSignature: .purchase(.invalidOfferSignature)
            case .missingOfferParams: .purchase(.missingOfferParameters)
            case .invalidOfferPrice: .purchase(.invalidOfferPrice)
            case .ineligibleForOffer: .purchase(.ineligibleForOffer)
            // What is not about the payment itself.
            default: .storeKit(StoreKitError(failure))
            }
    }
}

/// The store charged and answered with something that is no transaction as StoreKit has them.
struct UnreadableTransaction: LocalizedError {
    var errorDescription: String? { "The store's answer to the purchase can't be read." }
}
