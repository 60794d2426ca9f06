import Foundation
import WireClient

extension StoreKitError {
    /// Nobody has said which device to use; the error inside says what to do.
    static var noDevice: StoreKitError { .systemError(PaymentFailure.noDevice.error) }

    /// The store can't be reached.
    static var unreachable: StoreKitError { .networkError(URLError(.notConnectedToInternet)) }

    /// The error for a call of the store that brought no answer.
    init(_ error: WireClientError) {
        switch error {
        case .unreachable: self = .unreachable
        case .unintelligible: self = .networkError(URLError(.badServerResponse))
        case .refused: self = .systemError(PaymentFailure(error).error)
        }
    }

    /// The error for what the device reports.
    init(_ failure: PaymentFailure) {
        if failure == PaymentFailure(WireClientError.unreachable) {
            self = .unreachable
        } else {
            self.init(failure.storeKitCode, failure)
        }
    }

    private init(_ code: SKError.Code?, _ failure: PaymentFailure) {
        switch code {
        case .unknown: self = .unknown
        case .paymentCancelled: self = .userCancelled
        case .storeProductNotAvailable: self = .notAvailableInStorefront
        case .clientInvalid, .paymentNotAllowed: self = .notEntitled
        case .unsupportedPlatform: self = .unsupported
        // Codes that StoreKit 2 has no word for, and failures of other domains.
        default: self = .systemError(failure.error)
        }
    }
}

extension PaymentFailure {
    /// StoreKit 1's code; nil for a failure of another domain.
    var storeKitCode: SKError.Code? {
        domain == SKError.errorDomain ? SKError.Code(rawValue: code) : nil
    }
}
