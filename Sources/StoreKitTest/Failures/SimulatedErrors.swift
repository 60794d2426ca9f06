import LocalAppStore
import OpenStoreKit
import Synchronization

/// The errors that a test session simulates, by StoreKit API.
final class SimulatedErrors: Sendable {
    private static let apis: [any SimulatedAPI.Type] = [
        StoreKitLoadProductsAPI.self, StoreKitPurchaseAPI.self, StoreKitAppStoreSyncAPI.self, StoreKitSubscriptionStatusAPI.self,
        StoreKitAppTransactionAPI.self, StoreKitManageSubscriptionsAPI.self, StoreKitOfferCodeRedeemAPI.self,
        StoreKitRefundRequestAPI.self, StoreKitVerificationAPI.self,
    ]

    private let errors = Mutex<[ObjectIdentifier: any SKTestFailure]>([:])

    /// Returns the error that is simulated for a StoreKit API; returns nil if none is simulated.
    func error<API: FailableStoreKitAPI>(for api: API) -> API.Failure? {
        errors.withLock { $0[ObjectIdentifier(API.self)] } as? API.Failure
    }

    /// Makes a StoreKit API throw an error on a device; nil ends the simulation.
    func set<API: SimulatedAPI>(_ failure: API.Failure?, for api: API.Type, on device: Device) {
        errors.withLock { $0[ObjectIdentifier(api)] = failure }
        api.simulate(failure, on: device)
    }

    /// Simulates the errors that a `.storekit` file enables, and ends the simulation of all other errors.
    func reset(to choices: [CatalogSimulatedError], on device: Device) {
        for api in Self.apis { reset(api, to: choices, on: device) }
    }

    private func reset<API: SimulatedAPI>(_ api: API.Type, to choices: [CatalogSimulatedError], on device: Device) {
        set(choices.first { $0.name == api.fileName }?.active.flatMap { api.failure($0) }, for: api, on: device)
    }
}
