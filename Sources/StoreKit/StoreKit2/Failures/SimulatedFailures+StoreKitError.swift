package import OpenStoreKit

extension SimulatedFailures {
    /// Sets an error that everything in StoreKit can have.
    ///
    /// Of an error of the network only that it is one is kept, as on Apple's platforms: it is that of a device without a network.
    package func set(_ error: StoreKitError, for api: API) {
        let simulated: any Error = if case .networkError = error { StoreKitError.unreachable } else { error }
        set(simulated, for: api)
    }
}
