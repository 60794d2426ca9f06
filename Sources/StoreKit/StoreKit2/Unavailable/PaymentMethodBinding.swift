public import Foundation

/// A payment method of another party, bound to the user's account; not available on this platform.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// Why a payment method was not bound.
    public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The user may not do this.
        case notEligible
        /// The identifier is not valid.
        case invalidPinningID
        /// It failed.
        case failed

        /// A sentence that describes the error.
        public var errorDescription: String? { "The payment method could not be bound." }
    }

    /// The identifier that the developer's server made.
    public let id: String

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Throws ``PaymentMethodBindingError/notEligible``.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
