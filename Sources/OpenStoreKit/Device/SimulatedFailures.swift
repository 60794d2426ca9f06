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
