import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport

@testable import PurchaseKit

/// An app with the kit, which delivers through the developer's server.
struct KitApp: SimulatedApp {
    let session: AppSession
    private let vault: Vault
    private let purchases: Purchases

    /// Opens the vault and starts the kit.
    ///
    /// - Throws: An error of the vault if the session ends meanwhile.
    init(_ session: AppSession, verifier: SignedDataVerifier) async throws {
        self.session = session
        let fuse = session.fuse
        vault = try await Vault(
            SimulatedFile(disk: session.disk, fuse: fuse), keychain: SimulatedKeychain(disk: session.disk, fuse: fuse), bundleID: .test,
            device: session.device.id.rawValue, verifier: verifier)
        let coins = SimulatedCatalog.Item.allCases.filter { $0.credits > 0 }
        var configuration = PurchasesConfiguration(
            products: .builtIn(SimulatedCatalog.Item.allCases.map(\.id)),
            fulfillments: Dictionary(
                uniqueKeysWithValues: coins.map { item in
                    let credit = Fulfillment.credit(.credits, Int(item.credits))
                    return (item.id, item.isConsumable ? credit : credit.and(.unlock(EntitlementName(item.id.rawValue))))
                }),
            vault: vault, verifier: verifier, server: ServerConnection(session.server), customer: session.customer)
        configuration.clock = TestClock()
        configuration.wallClock = session.clock
        configuration.retrySchedule = RetrySchedule { 0 }
        configuration.step = { _ in fuse.step() }
        purchases = await session.onDevice { [configuration] in
            let purchases = Purchases(configuration)
            purchases.start()
            return purchases
        }
    }

    func buy(_ product: ProductID, quantity: Int) async {
        switch await session.onDevice({ await purchases.buy(product, quantity: quantity) }) {
        case .purchased(let purchase, _): session.promise(purchase.id, of: product)
        case .pending: session.promise(nil, of: product)
        default: break
        }
        await waitUntilIdle()
    }

    func restore() async {
        _ = await session.onDevice {
            await Device.withUserGesture { await purchases.restore { Set($0.map(\.productID)) } }
        }
    }

    func debit(_ amount: Int64, key: String) async {
        _ = try? await session.onDevice { try await purchases.debit(amount, of: .credits, idempotencyKey: key) }
    }

    func update() async {
        await session.device.waitUntilIdle()
        await session.onDevice { await purchases.retry() }
        await waitUntilIdle()
    }

    private func waitUntilIdle() async {
        await session.onDevice {
            await session.device.waitUntilIdle()
            await purchases.waitUntilIdle()
            await session.device.waitUntilIdle()
        }
    }

    func view() async -> AppView {
        let state = await purchases.state
        var view = AppView()
        let owned = state.entitlements.filter { $0.value.isActive }.map { ProductID($0.key.rawValue) }
        view.products = Set(owned).subtracting(SimulatedCatalog.consumables)
        view.balance = state.balance(of: .credits)
        view.unfinished = await session.device.unfinished().count
        view.openDebits = await Set(vault.contents.openDebits.map { "\($0)" })
        return view
    }

    func close() async {
        await purchases.stop()
    }
}
