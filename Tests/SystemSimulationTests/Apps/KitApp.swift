import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport

@testable import PurchaseKit

/// An app with the kit, which delivers through the developer's server, or on the device alone.
struct KitApp: SimulatedApp {
    private static let items = "items"

    let session: AppSession
    private let vault: Vault
    private let purchases: Purchases
    private let usesServer: Bool

    /// Opens the vault and starts the kit.
    ///
    /// - Throws: An error of the vault if the session ends meanwhile.
    init(_ session: AppSession, verifier: SignedDataVerifier, usesServer: Bool) async throws {
        self.session = session
        self.usesServer = usesServer
        let fuse = session.fuse
        vault = try await Vault(
            SimulatedFile(disk: session.disk, fuse: fuse), keychain: SimulatedKeychain(disk: session.disk, fuse: fuse), bundleID: .test)
        var configuration = PurchasesConfiguration(
            products: .builtIn(SimulatedCatalog.Item.allCases.map(\.id)), fulfillments: Self.fulfillments(session), vault: vault,
            verifier: verifier, server: usesServer ? ServerConnection(session.server) : nil, customer: session.customer)
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

    /// Credits, an entitlement, a value in the vault, and an effect of the app, in the combinations that an app can have.
    private static func fulfillments(_ session: AppSession) -> [ProductID: Fulfillment] {
        var fulfillments: [ProductID: Fulfillment] = [:]
        for item in SimulatedCatalog.Item.allCases where item.credits > 0 {
            let credit = Fulfillment.credit(.credits, Int(item.credits))
            fulfillments[item.id] = item.isConsumable ? credit : credit.and(.unlock(EntitlementName(item.id.rawValue)))
        }
        fulfillments[SimulatedCatalog.Item.coins50.id] = fulfillments[SimulatedCatalog.Item.coins50.id]?.and(
            .update(items, from: [String]()) { items, purchase in items.append(purchase.id.rawValue) })
        fulfillments[SimulatedCatalog.Item.book.id] = .perform { purchase throws(DeliveryError) in
            session.disk.perform(purchase.id, in: session.fuse)
        }
        return fulfillments
    }

    func buy(_ product: ProductID, quantity: Int) async {
        await buy(product) { await purchases.buy(product, quantity: quantity) }
    }

    func buy(_ product: ProductID, seats: Int) async {
        await buy(product) { await purchases.buy(product, seats: seats) }
    }

    private func buy(_ product: ProductID, _ buy: @MainActor @Sendable () async -> PurchaseOutcome) async {
        switch await session.onDevice(buy) {
        case .purchased(let purchase, _): session.promise(purchase.id, of: product)
        case .pending: session.promise(nil, of: product)
        default: break
        }
        await waitUntilIdle()
    }

    /// The user chooses every second product.
    func restore() async {
        _ = await session.onDevice {
            await Device.withUserGesture {
                await purchases.restore { products in
                    Set(products.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element.productID))
                }
            }
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
        let (state, contents) = (await purchases.state, await vault.contents)
        var view = AppView()
        let owned = state.entitlements.filter { $0.value.isActive }.map { ProductID($0.key.rawValue) }
        view.products = Set(owned).subtracting(SimulatedCatalog.consumables)
        view.balance = state.balance(of: .credits)
        view.unfinished = await session.device.unfinished().count
        view.openDebits = Set(contents.openDebits.map(\.key))
        if !usesServer {
            view.ownDebits = Set(session.server.acknowledgments.lists.debits.keys.filter { contents.debit($0) != nil })
        }
        let items = contents.values[OpaqueText(Self.items)].flatMap { try? JSONDecoder().decode([String].self, from: $0) } ?? []
        if Set(items).count < items.count { view.defects.append("delivered twice: \(items)") }
        let books = contents.delivered.filter {
            contents.facts(of: $0)?.product == SimulatedCatalog.Item.book.id
        }
        let lost = books.subtracting(session.disk.performed)
        if !lost.isEmpty { view.defects.append("delivered and not performed: \(lost.sorted())") }
        return view
    }

    func close() async {
        await purchases.stop()
    }
}
