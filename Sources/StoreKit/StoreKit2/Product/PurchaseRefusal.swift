import Foundation
import OpenStoreKit

/// The StoreKit 2 form of a failed payment.
enum PurchaseRefusal {
    case cancelled
    case purchase(Product.PurchaseError)
    case storeKit(StoreKitError)

    /// Maps the StoreKit 1 code of a failure.
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
            // Failures that do not concern the payment itself.
            default: .storeKit(StoreKitError(failure))
            }
    }
}

/// The error of a charged purchase whose response StoreKit can't represent as a transaction.
struct UnreadableTransaction: LocalizedError {
    var errorDescription: String? { "The store's response to the purchase can't be read." }
}
