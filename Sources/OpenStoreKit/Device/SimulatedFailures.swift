import Synchronization

/// What a test wants StoreKit 2 to fail with, instead of what would have happened.
///
/// Every entry point asks here first; without a test nothing is set.
package final class SimulatedFailures: Sendable {
    /// What can be made to fail.
    package enum API: Hashable, Sendable, CaseIterable {
        /// `Product.products(for:)`.
        case loadProducts
        /// `Product.purchase(options:)`.
        case purchase
        /// `AppStore.sync()`.
        case appStoreSync
        /// `Product.SubscriptionInfo.status` and its relatives.
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

    /// Sets what an entry point throws from now on; nil for what really happens.
    package func set(_ error: (any Error)?, for api: API) {
        state.withLock { $0.errors[api] = error }
    }

    /// What an entry point throws; nil for what really happens.
    package func error(for api: API) -> (any Error)? {
        state.withLock { $0.errors[api] }
    }

    /// What every verification finds from now on; nil for what is true.
    package var verification: VerificationFault? {
        get { state.withLock { $0.verification } }
        set { state.withLock { $0.verification = newValue } }
    }

    /// Ends every simulation.
    package func clear() {
        state.withLock { $0 = State() }
    }

    /// Throws what a test has set for an entry point.
    package func check(_ api: API) throws {
        if let error = error(for: api) { throw error }
    }
}
