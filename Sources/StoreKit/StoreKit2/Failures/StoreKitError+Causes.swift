import CStoreKit
import Foundation
package import OpenStoreKit

extension StoreKitError {
    /// The error of a call while no `Device` is configured; the underlying error names the configuration to set.
    static var noDevice: StoreKitError { .systemError(PaymentFailure.noDevice.error) }

    /// The error of a call when the store can't be reached.
    static var unreachable: StoreKitError { .networkError(URLError(.notConnectedToInternet)) }

    /// Creates the error that StoreKit 2 throws for a failed request to the store.
    init(_ error: RequestFailure) {
        switch error {
        case .unreachable: self = .unreachable
        case .invalidResponse: self = .networkError(URLError(.badServerResponse))
        case .refused(let failure): self = .systemError(failure.error)
        }
    }

    /// Creates the error that StoreKit 2 throws for a failure that the device reports.
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
        // StoreKit 2 has no case for the other codes of StoreKit 1, and for failures of other error domains.
        default: self = .systemError(failure.error)
        }
    }
}

extension SimulatedFailures {
    /// Makes calls of a StoreKit API fail with an error, for tests.
    ///
    /// As on Apple's platforms, calls throw the network error `notConnectedToInternet`, whichever network error the test sets.
    package func set(_ error: StoreKitError, for api: API) {
        let simulated: any Error = if case .networkError = error { StoreKitError.unreachable } else { error }
        set(simulated, for: api)
    }
}
