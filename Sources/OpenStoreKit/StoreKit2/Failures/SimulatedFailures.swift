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
        /// `AppStore.showManageSubscriptions()`.
        case manageSubscriptions
        /// `Transaction.beginRefundRequest()`.
        case refundRequest
        /// `AppStore.presentOfferCodeRedeemSheet()`.
        case offerCodeRedeem
    }

    private struct State {
        var errors: [API: any Error] = [:]
        var verification: VerificationFault?
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets what an entry point throws from now on; nil for what really happens.
    ///
    /// Of an error of the network only that it is one is kept, as on Apple's platforms: it is that of a device without a network.
    package func set(_ error: (any Error)?, for api: API) {
        var error = error
        if case .networkError? = error as? StoreKitError { error = StoreKitError.unreachable }
        state.withLock { [error] in $0.errors[api] = error }
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
    func check(_ api: API) throws {
        if let error = error(for: api) { throw error }
    }
}
