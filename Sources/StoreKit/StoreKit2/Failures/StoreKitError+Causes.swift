import CStoreKit
import Foundation
import OpenStoreKit

extension StoreKitError {
    /// Nobody has said which device to use; the error inside says what to do.
    static var noDevice: StoreKitError { .systemError(PaymentFailure.noDevice.error) }

    /// The store can't be reached.
    static var unreachable: StoreKitError { .networkError(URLError(.notConnectedToInternet)) }

    /// The error for a request that brought no answer.
    init(_ error: RequestFailure) {
        switch error {
        case .unreachable: self = .unreachable
        case .unintelligible: self = .networkError(URLError(.badServerResponse))
        case .refused(let failure): self = .systemError(failure.error)
        }
    }

    /// The error for what the device reports.
    init(_ failure: PaymentFailure) {
        if failure == RequestFailure.unreachable.failure {
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
