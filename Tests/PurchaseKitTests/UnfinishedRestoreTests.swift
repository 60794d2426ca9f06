import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

@Suite struct UnfinishedRestoreTests {
    /// Whether deliveries fail.
    private final class Outage: Sendable {
        let isOver = Mutex(false)
    }

    private let phone: Phone
    private let outage = Outage()

    init() async throws {
        phone = try await Phone()
    }

    @MainActor private func launch(_ phone: Phone) async throws -> (purchases: Purchases, device: Device) {
        let device = try await phone.launchSignedIn()
        let verifier = phone.harness.verifier
        let vault = try await Vault(
            path: phone.folder.file("vault").path(percentEncoded: false), keychain: MemoryKeychain(), bundleID: .test)
        let delivery = Fulfillment.perform { [outage] _ throws(DeliveryError) in
            guard outage.isOver.withLock({ $0 }) else { throw .later("Try again later.") }
        }
        let sepia = Fulfillment.credit(.credits, 7).and(.unlock("sepia")).and(delivery)
        let configuration = PurchasesConfiguration(
            products: .builtIn([SampleProduct.sepia]), fulfillments: [SampleProduct.sepia: sepia], vault: vault, verifier: verifier)
        let purchases = Purchases(configuration)
        Device.$current.withValue(device) { purchases.start() }
        await Device.$current.withValue(device) { await purchases.waitUntilIdle() }
        return (purchases, device)
    }

    @MainActor private func restore(_ purchases: Purchases, _ device: Device) async -> RestoreOutcome {
        await Device.$current.withValue(device) {
            await Device.withUserGesture { await purchases.restore { Set($0.map(\.productID)) } }
        }
    }

    @Test @MainActor func `a paid purchase whose delivery failed has its credits, also if a restore delivers it`() async throws {
        let (purchases, device) = try await launch(phone)
        let outcome = await Device.$current.withValue(device) { await purchases.buy(SampleProduct.sepia) }
        guard case .purchased(_, .delayed) = outcome else {
            Issue.record("The delivery did not fail: \(outcome)")
            return
        }
        outage.isOver.withLock { $0 = true }
        guard case .completed(let difference) = await restore(purchases, device) else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.gained == [SampleProduct.sepia])
        #expect(purchases.state.balance(of: .credits) == 7)
        await purchases.stop()

        // The same purchase adds nothing on another phone, where it is restored.
        await device.waitUntilIdle()
        let other = try await Phone(account: phone.account)
        let (second, secondDevice) = try await launch(other)
        _ = await restore(second, secondDevice)
        #expect(second.state.balance(of: .credits) == 0)
        #expect(second.state.status(of: "sepia").isOwned)
        await second.stop()
    }
}
