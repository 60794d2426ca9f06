import LocalAppStore
import OpenStoreKit
import Synchronization

/// The errors that a test simulates, in the types of the test's API.
final class SimulatedErrors: Sendable {
    private static let apis: [any SimulatedAPI.Type] = [
        StoreKitLoadProductsAPI.self, StoreKitPurchaseAPI.self, StoreKitAppStoreSyncAPI.self, StoreKitSubscriptionStatusAPI.self,
        StoreKitAppTransactionAPI.self, StoreKitManageSubscriptionsAPI.self, StoreKitOfferCodeRedeemAPI.self,
        StoreKitRefundRequestAPI.self, StoreKitVerificationAPI.self,
    ]

    private let errors = Mutex<[ObjectIdentifier: any SKTestFailure]>([:])

    /// The simulated error of a StoreKit API.
    func error<API: FailableStoreKitAPI>(for api: API) -> API.Failure? {
        errors.withLock { $0[ObjectIdentifier(API.self)] } as? API.Failure
    }

    /// Simulates an error of a StoreKit API on a device; nil restores the real result.
    func set<API: SimulatedAPI>(_ failure: API.Failure?, for api: API.Type, on device: Device) {
        errors.withLock { $0[ObjectIdentifier(api)] = failure }
        api.simulate(failure, on: device)
    }

    /// Simulates exactly the errors of a `.storekit` file.
    func reset(to choices: [CatalogSimulatedError], on device: Device) {
        for api in Self.apis { reset(api, to: choices, on: device) }
    }

    private func reset<API: SimulatedAPI>(_ api: API.Type, to choices: [CatalogSimulatedError], on device: Device) {
        set(choices.first { $0.name == api.fileName }?.active.flatMap { api.failure($0) }, for: api, on: device)
    }
}
