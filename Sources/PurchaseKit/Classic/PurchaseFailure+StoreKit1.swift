import Foundation
import StoreKit

extension PurchaseFailure {
    /// Creates the failure for an error of StoreKit 1; nil for a cancellation.
    ///
    /// - Parameter payment: The payment that failed; nil for another request.
    init?(storeKit1 error: (any Error)?, of payment: SKPayment? = nil) {
        guard let error = error as NSError? else {
            self.init(.store)
            return
        }
        let cause = Cause(domain: error.domain, code: error.code)
        guard error.domain == SKErrorDomain else {
            self.init(error.domain == NSURLErrorDomain ? .network : .store, message: error.localizedDescription, cause: cause)
            return
        }
        let code = SKError.Code(rawValue: error.code)
        guard code != .paymentCancelled else { return nil }
        let kind: Kind =
            switch code {
            case .paymentNotAllowed, .clientInvalid: .purchaseNotAllowed
            case .storeProductNotAvailable: .productUnavailable
            case .paymentInvalid: payment.map { (1...10).contains($0.quantity) } ?? true ? .store : .invalidQuantity
            case .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice, .ineligibleForOffer: .invalidOffer
            case .cloudServiceNetworkConnectionFailed: .network
            default: .store
            }
        let text = SKError(_nsError: error).localizedDescription
        self.init(kind, message: text.isEmpty ? nil : text, cause: cause)
    }

    /// The failure as an `NSError` for older code, with the domain and the code of StoreKit 1's error, otherwise `SKErrorDomain` and
    /// `unknown`.
    var nsError: NSError {
        NSError(
            domain: cause?.domain ?? SKErrorDomain, code: cause?.code ?? SKError.Code.unknown.rawValue,
            userInfo: [NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: advice])
    }
}
