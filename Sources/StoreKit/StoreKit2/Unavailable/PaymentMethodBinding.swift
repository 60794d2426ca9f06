public import Foundation

/// A third-party payment method to bind to the user's account; not available on Linux.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// The reason why a payment method could not be bound to the user's account.
    public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The user is not eligible for payment method bindings.
        case notEligible
        /// The identifier of the payment method binding is not valid.
        case invalidPinningID
        /// The payment method could not be bound for another reason.
        case failed

        /// A message that describes the error.
        public var errorDescription: String? { "The payment method could not be bound to your account." }
    }

    /// The identifier of the payment method binding, which the payment provider's server created.
    public let id: String

    /// Throws ``PaymentMethodBindingError/notEligible``, because payment method bindings are not available on Linux.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Throws ``PaymentMethodBindingError/notEligible``, because payment method bindings are not available on Linux.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
