import Foundation
import LocalAppStore
import OpenStoreKit
import StoreKit

/// A StoreKit API for which a test session's device can simulate an error.
protocol SimulatedAPI: FailableStoreKitAPI {
    /// The name of the API in `.storekit` files.
    static var fileName: String { get }
    /// Returns the error that a `.storekit` file selects for the API; returns nil for an unknown selection.
    static func failure(_ choice: CatalogSimulatedError.Choice) -> Failure?
    /// Makes the API throw an error on a device; nil ends the simulation.
    static func simulate(_ failure: Failure?, on device: Device)
}

extension StoreKitLoadProductsAPI: SimulatedAPI {
    static var fileName: String { "Load Products" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.LoadProducts? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.LoadProducts?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .loadProducts) }
        device.simulatedFailures.set(error, for: .loadProducts)
    }
}

extension StoreKitPurchaseAPI: SimulatedAPI {
    static var fileName: String { "Purchase" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.Purchase? {
        guard choice.type == "purchase" else { return StoreKitError(choice).map { .generic($0) } }
        let errors: [Product.PurchaseError] = [
            .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
            .invalidOfferSignature, .missingOfferParameters,
        ]
        return errors.indices.contains(choice.index) ? .purchase(errors[choice.index]) : nil
    }

    static func simulate(_ failure: SKTestFailures.Purchase?, on device: Device) {
        switch failure {
        case .generic(let error): device.simulatedFailures.set(error, for: .purchase)
        case .purchase(let error): device.simulatedFailures.set(error, for: .purchase)
        case nil: device.simulatedFailures.set(nil, for: .purchase)
        }
    }
}

extension StoreKitAppStoreSyncAPI: SimulatedAPI {
    static var fileName: String { "App Store Sync" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.AppStoreSync? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.AppStoreSync?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .appStoreSync) }
        device.simulatedFailures.set(error, for: .appStoreSync)
    }
}

extension StoreKitSubscriptionStatusAPI: SimulatedAPI {
    static var fileName: String { "Subscription Status" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.SubscriptionStatus? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.SubscriptionStatus?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .subscriptionStatus) }
        device.simulatedFailures.set(error, for: .subscriptionStatus)
    }
}

extension StoreKitAppTransactionAPI: SimulatedAPI {
    static var fileName: String { "App Transaction" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.AppTransaction? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.AppTransaction?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .appTransaction) }
        device.simulatedFailures.set(error, for: .appTransaction)
    }
}

extension StoreKitManageSubscriptionsAPI: SimulatedAPI {
    static var fileName: String { "Manage Subscriptions Sheet" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.ManageSubscriptions? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.ManageSubscriptions?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .manageSubscriptions) }
        device.simulatedFailures.set(error, for: .manageSubscriptions)
    }
}

extension StoreKitOfferCodeRedeemAPI: SimulatedAPI {
    static var fileName: String { "Offer Code Redeem Sheet" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.OfferCodeRedeem? {
        StoreKitError(choice).map { .generic($0) }
    }

    static func simulate(_ failure: SKTestFailures.OfferCodeRedeem?, on device: Device) {
        guard case .generic(let error)? = failure else { return device.simulatedFailures.set(nil, for: .offerCodeRedeem) }
        device.simulatedFailures.set(error, for: .offerCodeRedeem)
    }
}

extension StoreKitRefundRequestAPI: SimulatedAPI {
    static var fileName: String { "Refund Request Sheet" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.RefundRequest? {
        guard choice.type != "generic" else { return StoreKitError(choice).map { .generic($0) } }
        return choice.index == 0 ? .refundRequest(.duplicateRequest) : .refundRequest(.failed)
    }

    static func simulate(_ failure: SKTestFailures.RefundRequest?, on device: Device) {
        switch failure {
        case .generic(let error): device.simulatedFailures.set(error, for: .refundRequest)
        case .refundRequest(let error): device.simulatedFailures.set(Device.RefundRequestError(error), for: .refundRequest)
        case nil: device.simulatedFailures.set(nil, for: .refundRequest)
        }
    }
}

extension StoreKitVerificationAPI: SimulatedAPI {
    static var fileName: String { "Verification" }

    static func failure(_ choice: CatalogSimulatedError.Choice) -> SKTestFailures.Verification? {
        let errors: [VerificationResult<Any>.VerificationError] = [
            .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification, .invalidEncoding, .invalidSignature,
            .missingRequiredProperties,
        ]
        return errors.indices.contains(choice.index) ? .verification(errors[choice.index]) : nil
    }

    static func simulate(_ failure: SKTestFailures.Verification?, on device: Device) {
        guard case .verification(let error)? = failure else {
            device.simulatedFailures.verification = nil
            return
        }
        device.simulatedFailures.verification = VerificationFault(error)
    }
}

extension StoreKitError {
    /// Creates the error that a `.storekit` file selects; returns nil for an unknown selection.
    fileprivate init?(_ choice: CatalogSimulatedError.Choice) {
        switch choice.index {
        case 0: self = .unknown
        case 1: self = .userCancelled
        case 2: self = .networkError(URLError(.notConnectedToInternet))
        case 3: self = .systemError(SKTestError(.serviceUnavailable))
        case 4: self = .notAvailableInStorefront
        case 5: self = .notEntitled
        default: return nil
        }
    }
}

extension Device.RefundRequestError {
    /// Creates the error of `Device.beginRefundRequest` for the equivalent error of StoreKit.
    fileprivate init(_ error: Transaction.RefundRequestError) {
        self =
            switch error {
            case .duplicateRequest: .duplicateRequest
            case .failed: .failed
            case .ineligible: .ineligible
            }
    }
}

extension VerificationFault {
    /// Creates the verification fault of a device for the equivalent error of StoreKit.
    fileprivate init(_ error: VerificationResult<Any>.VerificationError) {
        self =
            switch error {
            case .revokedCertificate: .revokedCertificate
            case .invalidCertificateChain: .invalidCertificateChain
            case .invalidDeviceVerification: .invalidDeviceVerification
            case .invalidEncoding: .invalidEncoding
            case .invalidSignature: .invalidSignature
            case .missingRequiredProperties: .missingRequiredProperties
            }
    }
}
