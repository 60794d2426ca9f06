import Foundation
import OpenStoreKit
import StoreProtocol

/// The outcome of StoreKit 2's purchase call for a failed payment: a cancellation or an error.
enum PurchaseCallFailure {
    case cancelled
    case purchase(Product.PurchaseError)
    case storeKit(StoreKitError)

    /// Creates the outcome for the StoreKit 1 error code of a failed payment.
    init(_ failure: PaymentFailure) {
        // Requests for seats are StoreKit 2's only, whose errors have no codes.
        switch failure.code {
        case PurchaseReply.multiSeatPurchaseDisabled:
            self = .purchase(.multiSeatPurchaseDisabled)
            return
        case PurchaseReply.seatReductionNotAllowed:
            self = .purchase(.seatReductionNotAllowed)
            return
        default: break
        }
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
            case .paymentMethodBindingConfigurationRequired: .purchase(.paymentMethodBindingConfigurationRequired)
            // The other failures do not concern the payment, but the device or the store.
            default: .storeKit(StoreKitError(failure))
            }
    }
}

/// The error of a purchase that was charged, although StoreKit can't represent the transaction in the store's response.
struct UnreadableTransaction: LocalizedError {
    var errorDescription: String? { "The purchase was charged, but its transaction can't be read. Look it up in the store." }
}
