import CStoreKit
import Foundation
import OpenStoreKit

extension StoreKitError {
    /// The error of a call without a device; the underlying error names the configuration to set.
    static var noDevice: StoreKitError { .systemError(PaymentFailure.noDevice.error) }

    /// The store can't be reached.
    static var unreachable: StoreKitError { .networkError(URLError(.notConnectedToInternet)) }

    /// Creates the error of a failed request.
    init(_ error: RequestFailure) {
        switch error {
        case .unreachable: self = .unreachable
        case .invalidResponse: self = .networkError(URLError(.badServerResponse))
        case .refused(let failure): self = .systemError(failure.error)
        }
    }

    /// Creates the error of a failure that the device reports.
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
        // Codes without a StoreKit 2 equivalent, and failures of other domains.
        default: self = .systemError(failure.error)
        }
    }
}
