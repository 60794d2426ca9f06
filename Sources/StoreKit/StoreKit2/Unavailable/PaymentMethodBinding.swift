public import Foundation

/// A third-party payment method that is bound to the user's account; not available on this platform.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// The error of a payment method that was not bound.
    public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The user is not eligible.
        case notEligible
        /// The identifier is not valid.
        case invalidPinningID
        /// The binding failed.
        case failed

        /// A sentence that describes the error.
        public var errorDescription: String? { "The payment method could not be bound." }
    }

    /// The identifier that the developer's server created.
    public let id: String

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
