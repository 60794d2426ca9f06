public import Foundation

/// A payment method of somebody else, bound to the user's account; never possible here.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// Why a payment method was not bound.
    public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The user may not do this.
        case notEligible
        /// The identifier is not valid.
        case invalidPinningID
        /// It failed.
        case failed

        /// What went wrong, in a sentence.
        public var errorDescription: String? { "The payment method could not be bound." }
    }

    /// The identifier that the developer's server made.
    public let id: String

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
