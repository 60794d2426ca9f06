public import Foundation

/// Why the store or the device did not do what was asked, in the form in which it is journaled: domain and code belong together.
///
/// Domains and codes are StoreKit 1's, as plain values: an `NSError` with them is what an observer of the payment queue gets.
public struct PaymentFailure: Error, Codable, Hashable, Sendable {
    /// The domain of StoreKit 1's errors.
    package static let storeKitDomain = "SKErrorDomain"

    /// The codes of StoreKit 1's domain that a device gives by itself; a store may answer with others.
    package enum Code: Int, Sendable {
        /// Unknown, or the store can't be reached.
        case unknown = 0
        /// The app may not do this.
        case clientInvalid = 1
        /// The user cancelled.
        case paymentCancelled = 2
        /// The payment is not valid.
        case paymentInvalid = 3
        /// Payments are not allowed on this device.
        case paymentNotAllowed = 4
        /// The product is not sold in this country's store.
        case storeProductNotAvailable = 5
        /// The app may not set a payment's request data.
        case unauthorizedRequestData = 10
    }

    /// The domain of the error.
    public var domain: String
    /// The error's code in its domain.
    public var code: Int
    /// What happened, in a sentence; empty where the code says it all.
    public var message: String

    /// A failure of StoreKit 1's own domain.
    package init(_ code: Code, _ message: String = "") {
        self.init(domain: Self.storeKitDomain, code: code.rawValue, message: message)
    }

    /// A failure of any domain.
    package init(domain: String, code: Int, message: String) {
        self.domain = domain
        self.code = code
        self.message = message
    }

    /// Whether the user cancelled.
    public var isCancellation: Bool { domain == Self.storeKitDomain && code == Code.paymentCancelled.rawValue }
}

extension PaymentFailure: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? { message.isEmpty ? "The request failed (\(domain) \(code))." : message }
}
