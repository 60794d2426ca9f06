import Synchronization

/// The errors that a test simulates for StoreKit 2 instead of the real results.
///
/// Every entry point checks for a simulated error first. Only tests set errors.
package final class SimulatedFailures: Sendable {
    /// An entry point that can be made to fail.
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

    /// Sets the error that an entry point throws from now on; nil restores the real result.
    package func set(_ error: (any Error)?, for api: API) {
        state.withLock { $0.errors[api] = error }
    }

    /// The error that an entry point throws; nil for the real result.
    package func error(for api: API) -> (any Error)? {
        state.withLock { $0.errors[api] }
    }

    /// The result of every verification from now on; nil for the real result.
    package var verification: VerificationFault? {
        get { state.withLock { $0.verification } }
        set { state.withLock { $0.verification = newValue } }
    }

    /// Ends every simulation.
    package func clear() {
        state.withLock { $0 = State() }
    }

    /// Throws the error that a test has set for an entry point.
    package func check(_ api: API) throws {
        if let error = error(for: api) { throw error }
    }
}
