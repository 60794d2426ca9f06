public import Foundation
import PurchaseModel
import Wire

/// The reason why the store or the device refused a request.
///
/// Domains and codes are those of StoreKit 1. An observer of the payment queue receives an `NSError` with the same domain and code.
public struct PaymentFailure: Error, Hashable, Sendable {
    /// The domain of StoreKit 1's errors.
    package static let storeKitDomain = "SKErrorDomain"

    /// The codes in StoreKit 1's error domain that a device uses; a store may respond with other codes.
    package enum Code: Int, Sendable {
        /// An unknown error, or an unreachable store.
        case unknown = 0
        /// The app is not allowed to make the request, or no device is configured.
        case clientInvalid = 1
        /// The user canceled the payment, or a parent declined it.
        case paymentCancelled = 2
        /// The payment is not valid.
        case paymentInvalid = 3
        /// Payments are not allowed on this device.
        case paymentNotAllowed = 4
        /// The product is not available in this storefront.
        case storeProductNotAvailable = 5
        /// The app is not allowed to set a payment's request data.
        case unauthorizedRequestData = 10
    }

    /// The domain of the error.
    public var domain: String
    /// The error's code in its domain.
    public var code: Int
    /// A sentence that describes the failure; empty where the code is sufficient.
    public var message: String

    /// Creates a failure in StoreKit 1's error domain.
    package init(_ code: Code, _ message: String = "") {
        self.init(domain: Self.storeKitDomain, code: code.rawValue, message: message)
    }

    /// Creates a failure in any error domain.
    package init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Whether the user canceled the request.
    public var isCancellation: Bool { domain == Self.storeKitDomain && code == Code.paymentCancelled.rawValue }
}

extension PaymentFailure: LocalizedError {
    /// A sentence that describes the failure.
    public var errorDescription: String? { message.isEmpty ? "The request failed (\(domain) \(code))." : message }
}

extension PaymentFailure {
    /// Creates the failure with the domain and code that StoreKit 1 uses for an error of a request.
    ///
    /// The switch has no `default`, so that a new error must be assigned a domain and code.
    init(_ error: WireClientError) {
        switch error {
        case .unreachable, .invalidResponse:
            self.init(.unknown, "Cannot connect to the App Store.")
        case .refused(401, let wire):
            self.init(domain: "SSServerErrorDomain", code: 5020, message: wire.message)
        case .refused(500..., let wire):
            self.init(domain: "SSServerErrorDomain", code: 5002, message: wire.message)
        case .refused(_, let wire):
            self.init(.unknown, wire.message)
        }
    }
}

extension PaymentFailure {
    /// The failure of a StoreKit call if no device is configured; the message states how to configure a device.
    package static var noDevice: PaymentFailure {
        var reason = "set a device with Device.use(_:), or set OPENSTOREKIT_STORE_URL, OPENSTOREKIT_BUNDLE_ID and OPENSTOREKIT_ROOTS."
        if case .failure(let error) = Device.environmentDevice { reason = error.description }
        return PaymentFailure(.clientInvalid, "No store is configured: \(reason)")
    }
}
