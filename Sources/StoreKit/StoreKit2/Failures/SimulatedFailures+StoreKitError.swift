package import OpenStoreKit

extension SimulatedFailures {
    /// Sets a StoreKit error for an entry point.
    ///
    /// Every network error becomes the error of a device without a network, as on Apple's platforms.
    package func set(_ error: StoreKitError, for api: API) {
        let simulated: any Error = if case .networkError = error { StoreKitError.unreachable } else { error }
        set(simulated, for: api)
    }
}
