package import OpenStoreKit

extension SimulatedFailures {
    /// Makes calls of a StoreKit API fail with an error, for tests.
    ///
    /// As on Apple's platforms, calls throw the network error `notConnectedToInternet`, whichever network error the test sets.
    package func set(_ error: StoreKitError, for api: API) {
        let simulated: any Error = if case .networkError = error { StoreKitError.unreachable } else { error }
        set(simulated, for: api)
    }
}
