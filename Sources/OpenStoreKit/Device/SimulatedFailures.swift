package import PurchaseProof
import Synchronization

/// The errors that a test simulates for functions of StoreKit.
///
/// Each function of ``API`` checks for a simulated error first. Only tests set errors.
package final class SimulatedFailures: Sendable {
    /// A function of StoreKit for which a test can simulate an error.
    package enum API: Hashable, Sendable, CaseIterable {
        /// `Product.products(for:)`.
        case loadProducts
        /// `Product.purchase(options:)`.
        case purchase
        /// `AppStore.sync()`.
        case appStoreSync
        /// `Product.SubscriptionInfo.status` and the related members.
        case subscriptionStatus
        /// `AppTransaction.shared` and `refresh()`.
        case appTransaction
        /// `Device.showManageSubscriptions(subscriptionGroupID:)`.
        case manageSubscriptions
        /// `Device.beginRefundRequest(for:)`.
        case refundRequest
        /// `Device.redeemOfferCode()`.
        case offerCodeRedeem
    }

    private struct State {
        var errors: [API: any Error] = [:]
        var verification: VerificationFault?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the error that a function throws from now on; nil ends the simulation.
    package func set(_ error: (any Error)?, for api: API) {
        state.withLock { $0.errors[api] = error }
    }

    /// Returns the error that a test simulates for a function, or nil for none.
    package func error(for api: API) -> (any Error)? {
        state.withLock { $0.errors[api] }
    }

    /// The error with which every verification fails; nil to verify signed data.
    package var verification: VerificationFault? {
        get { state.withLock { $0.verification } }
        set { state.withLock { $0.verification = newValue } }
    }

    /// Ends all simulations.
    package func clear() {
        state.withLock { $0 = State() }
    }

    /// Throws the error that a test simulates for a function, if any.
    package func check(_ api: API) throws {
        if let error = error(for: api) { throw error }
    }
}

/// A reason why signed data is not valid: one of the six cases of StoreKit's `VerificationResult.VerificationError`.
package enum VerificationFault: Hashable, Sendable, CaseIterable {
    /// A certificate is revoked, or its revocation status is unavailable.
    case revokedCertificate
    /// The certificates do not chain to a trusted root, or were not valid at the time of signing.
    case invalidCertificateChain
    /// The data was not signed for this device, app or environment.
    case invalidDeviceVerification
    /// The data can't be decoded.
    case invalidEncoding
    /// The data was changed, or another key signed it.
    case invalidSignature
    /// The header or a certificate lacks a property that the verification requires.
    case missingRequiredProperties

    /// Creates StoreKit's verification error for a failed verification.
    package init(_ failure: VerificationFailure) {
        switch failure {
        case .refused(let refusal): self.init(refusal.reason)
        case .indeterminate: self = .revokedCertificate
        }
    }

    /// Creates StoreKit's verification error for the reason of a refusal.
    ///
    /// The switch has no `default`, so that a new reason must be assigned to a case.
    init(_ reason: Refusal.Reason) {
        self =
            switch reason {
            case .malformed, .tooLarge: .invalidEncoding
            case .algorithm, .marker, .missingMember: .missingRequiredProperties
            case .signature: .invalidSignature
            case .untrustedRoot, .chain, .validity, .expired, .tooOld: .invalidCertificateChain
            case .revoked: .revokedCertificate
            case .foreignBundle, .foreignApp, .foreignVersion, .foreignEnvironment, .foreignDevice, .custom:
                .invalidDeviceVerification
            }
    }
}
