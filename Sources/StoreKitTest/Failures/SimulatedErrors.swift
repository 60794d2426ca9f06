import LocalAppStore
import OpenStoreKit
import Synchronization

/// What a test simulates, in the test's own words.
final class SimulatedErrors: Sendable {
    private static let apis: [any SimulatedAPI.Type] = [
        StoreKitLoadProductsAPI.self, StoreKitPurchaseAPI.self, StoreKitAppStoreSyncAPI.self, StoreKitSubscriptionStatusAPI.self,
        StoreKitAppTransactionAPI.self, StoreKitManageSubscriptionsAPI.self, StoreKitOfferCodeRedeemAPI.self,
        StoreKitRefundRequestAPI.self, StoreKitVerificationAPI.self,
    ]

    private let errors = Mutex<[ObjectIdentifier: any SKTestFailure]>([:])

    /// What is simulated for a part of StoreKit.
    func error<API: FailableStoreKitAPI>(for api: API) -> API.Failure? {
        errors.withLock { $0[ObjectIdentifier(API.self)] } as? API.Failure
    }

    /// Has a part of StoreKit fail on a device; nil for what really happens.
    func set<API: SimulatedAPI>(_ failure: API.Failure?, for api: API.Type, on device: Device) {
        errors.withLock { $0[ObjectIdentifier(api)] = failure }
        api.simulate(failure, on: device)
    }

    /// Simulates what a file says and nothing else.
    func reset(to choices: [CatalogSimulatedError], on device: Device) {
        for api in Self.apis { reset(api, to: choices, on: device) }
    }

    private func reset<API: SimulatedAPI>(_ api: API.Type, to choices: [CatalogSimulatedError], on device: Device) {
        set(choices.first { $0.name == api.fileName }?.active.flatMap { api.failure($0) }, for: api, on: device)
    }
}
