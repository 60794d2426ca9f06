import Foundation
import OpenStoreKit
import OpenStoreKitTest
import PurchaseKit
import PurchaseModel
import PurchaseProof
import StoreKit
import StoreKitTest
import Testing

@testable import KitShop

/// Tests that play the code of the guides.
@Suite(.storeKit(configurationFileNamed: "KitShop"), .timeLimit(.minutes(10))) @MainActor
struct GuideTests {
    private let session: SKTestSession
    private let device: Device

    init() throws {
        session = try #require(SKTestSession.current)
        device = session.device
    }

    private func verifier() throws -> SignedDataVerifier { try transactionVerifier(for: device.configuration.bundleID) }

    private func vault() async throws -> Vault {
        try await openVault(in: device.configuration.folder + "/app", for: device.configuration.bundleID)
    }

    // MARK: - Five minutes to the first purchase

    @Test func `the screen of the shop shows prices, coins and the filter`() async throws {
        let purchases = try await launch()
        #expect(await purchases.wait { $0.areProductsLoaded && $0.areEntitlementsKnown })
        #expect(screen(purchases.state) == ["[5 coins: $0.99]", "[Sepia filter: $1.99]", "Coins: 0", "Sepia: locked"])
        #expect(await buy(.coins, from: purchases) == "Thank you!")
        #expect(await buy(.sepia, from: purchases) == "Thank you!")
        #expect(await spend(2, for: "hat", from: purchases))
        #expect(await spend(2, for: "hat", from: purchases))
        #expect(await !spend(9, for: "ship", from: purchases))
        #expect(screen(purchases.state).suffix(2) == ["Coins: 3", "Sepia: unlocked"])
        await purchases.stop()
    }

    @Test func `a reader of the states receives each screen`() async throws {
        let purchases = try await launch()
        var screens: [[String]] = []
        let reader = Task { await show(purchases) { screens.append($0) } }
        #expect(await buy(.coins, from: purchases) == "Thank you!")
        await purchases.stop()
        await reader.value
        #expect(screens.last?.contains("Coins: 5") == true)
    }

    @Test func `a canceled purchase has no message, and a failed one has an advice`() async throws {
        let purchases = try await launch()
        for (error, expected) in [
            (StoreKitError.userCancelled, nil),
            (
                .networkError(URLError(.notConnectedToInternet)),
                "The App Store can't be reached. Check the network connection, and try again."
            ),
        ] {
            try await session.setSimulatedError(.generic(error), forAPI: .purchase)
            #expect(await buy(.coins, from: purchases) == expected)
        }
        #expect(await buy("com.example.unknown", from: purchases)?.hasPrefix("The App Store does not sell this product") == true)
        await purchases.stop()
    }

    @Test func `a new installation shows the filter, and a restore delivers what the user chooses`() async throws {
        let purchases = try await launch()
        for product in [ProductID.coins, .sepia] { #expect(await buy(product, from: purchases) == "Thank you!") }
        await purchases.stop()

        let app = device.configuration.bundleID
        let reinstalled = try await openPurchases(of: app, in: device.configuration.folder + "/reinstalled")
        #expect(await reinstalled.wait { $0.status(of: "sepia").isOwned })
        var offered: [ProductID] = []
        #expect(
            await restore(reinstalled) { products in
                offered = products.map(\.id)
                return []
            } == "Restored: 0, already here: 0.")
        #expect(offered == [.sepia])
        #expect(await restore(reinstalled) { _ in [.sepia] } == "Restored: 1, already here: 0.")
        #expect(await restore(reinstalled) { _ in [.sepia] } == "Restored: 0, already here: 1.")
        #expect(reinstalled.state.balance(of: "coins") == 0)
        await reinstalled.stop()
    }

    @Test func `an account without purchases has nothing to restore`() async throws {
        let purchases = try await launch()
        #expect(await restore(purchases) { _ in [] } == "There is nothing to restore.")
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
        #expect(await restore(purchases) { _ in [] } == nil)
        await purchases.stop()
    }

    @Test func `a vault that was changed by another program is begun anew`() async throws {
        let purchases = try await launch()
        for product in [ProductID.coins, .sepia] { #expect(await buy(product, from: purchases) == "Thank you!") }
        await purchases.stop()
        try Data("nonsense".utf8).write(to: URL(filePath: device.configuration.folder + "/app/vault"))
        let relaunched = try await launch()
        #expect(await relaunched.wait { $0.status(of: "sepia").isOwned })
        #expect(relaunched.state.balance(of: "coins") == 0)
        await relaunched.stop()
    }

    // MARK: - From StoreKit 1

    @Test func `the store of the guide for StoreKit 1 sells coins`() async throws {
        let presentation = presentation { false }
        let store = try CoinStore(vault: await vault(), verifier: verifier(), presentation: presentation)
        #expect(await store.buyCoins(quantity: 2) == "You have 10 coins.")
        await continuePromotedPurchases(of: store.purchases)
        await store.purchases.stop()
    }

    @Test func `the observer of the guide for StoreKit 1 counts coins`() async throws {
        let observer = CoinObserver()
        let queue = SKPaymentQueue.default()
        queue.add(observer)
        let payment = SKMutablePayment()
        payment.productIdentifier = "com.example.coins"
        queue.add(payment)
        await session.waitUntilIdle()
        #expect(observer.coins == 5)
        queue.remove(observer)
    }

    @Test func `an unfinished purchase is delivered by the app's own code`() async throws {
        try session.buyProduct(productIdentifier: "com.example.sepia")
        await session.waitUntilIdle()
        let library = Library()
        let configuration = try PurchasesConfiguration(
            products: .builtIn([.sepia]), fulfillments: [.sepia: fulfillment(by: library)], vault: await vault(), verifier: verifier())
        let purchases = Purchases(configuration)
        purchases.start()
        #expect(await purchases.wait { $0.status(of: "com.example.sepia").isOwned && $0.areProductsLoaded })
        await purchases.retry()
        #expect(await library.books.values.map(\.self) == ["com.example.sepia"])
        await purchases.stop()
    }

    @Test func `an app that stays with StoreKit 1 sells coins and restores the filter`() async throws {
        let purchases = try await launch()
        #expect(await buy(.sepia, from: purchases) == "Thank you!")
        let store = QueueStore(purchases)
        let product = try #require(try await store.observer.products([.coins]).products.first)
        store.buy(product, quantity: 2)
        #expect(await purchases.wait { $0.balance(of: "coins") == 10 })
        guard case .completed(let difference) = await Device.withUserGesture({ await store.restore { Set($0.map(\.id)) } }) else {
            Issue.record("The restore did not complete.")
            return
        }
        #expect(difference.kept == [.sepia])
        store.observer.stop()
        await purchases.stop()
    }

    // MARK: - From StoreKit 2

    @Test func `both stores of the guide for StoreKit 2 sell the filter`() async throws {
        let before = FilterStore()
        before.start()
        let product = try #require(try await Product.products(for: ["com.example.sepia"]).first)
        try await before.buy(product)
        await before.refresh()
        #expect(before.owned == ["com.example.sepia"])

        let purchases = openFilterStore(vault: try await vault(), verifier: try verifier())
        #expect(await purchases.wait { sepiaButton($0) == "Apply" })
        #expect(magazineLine(purchases.state) == "No subscription")
        await purchases.stop()
    }

    @Test func `the lines of the guide for StoreKit 2 follow the life of a subscription`() async throws {
        let purchases = openFilterStore(vault: try await vault(), verifier: try verifier())
        #expect(sepiaButton(purchases.state) == nil)
        #expect(await purchases.wait { sepiaButton($0) == "Buy for $1.99" })
        let events = purchases.events
        try await session.buyProduct(identifier: "com.example.magazine")
        #expect(await purchases.wait { magazineLine($0) == "Renews" })
        var messages: [String] = []
        for await event in events {
            messages.append(message(about: event) ?? "")
            break
        }
        #expect(messages == ["com.example.magazine was delivered."])

        let transaction = try #require(session.allTransactions().last)
        try session.disableAutoRenewForTransaction(identifier: transaction.identifier)
        #expect(await purchases.wait { magazineLine($0) == "Ends at the end of the period" })
        try session.refundTransaction(identifier: transaction.identifier)
        #expect(await purchases.wait { magazineLine($0) == "Refunded" })
        await purchases.stop()
    }

    // MARK: - From RevenueCat's SDK

    private struct UnreachableBackend: Backend {
        func credentials(isRenewal: Bool) async throws -> ServerCredentials { throw URLError(.notConnectedToInternet) }
    }

    @Test func `the purchases of the guide for RevenueCat wait for a backend that can't be reached`() async throws {
        let url = try #require(HTTPURL("http://127.0.0.1:9"))
        let purchases = openPurchases(
            of: CustomerID(UUID()), at: url, UnreachableBackend(), vault: try await vault(), verifier: try verifier())
        #expect(await purchases.wait { $0.problems.contains { $0.kind == .serverUnreachable } })
        #expect(purchases.state.status(of: "pro") == .unknown)
        await purchases.stop()
    }

    @Test func `the code of the guide for RevenueCat buys, restores and spends`() async throws {
        let configuration = try PurchasesConfiguration(
            products: .builtIn(["com.example.magazine", "com.example.coins"]), fulfillments: proFulfillments, vault: await vault(),
            verifier: verifier())
        let purchases = Purchases(configuration)
        let model = ProModel()
        let reader = Task { await model.observe(purchases) }
        purchases.start()
        #expect(await purchases.wait { $0.areProductsLoaded })
        #expect(await buyFirst(from: purchases))
        _ = await purchases.buy("com.example.coins")
        #expect(try await spendCoins(3, for: "boots", from: purchases) == 2)
        await #expect(throws: DebitError.insufficientBalance(available: 2)) {
            try await spendCoins(3, for: "sword", from: purchases)
        }
        #expect(await restoreAll(purchases).isEmpty)
        await purchases.stop()
        await reader.value
        #expect(model.status.isOwned)
    }
}
