import Foundation
import OpenStoreKit
import OpenStoreKitTest
import PurchaseTestSupport
import StoreKit
import StoreKitTest
import Testing

/// Typical tests of an app.
@MainActor @Suite struct ClientTests {
    private let session: SKTestSession
    private let store: ClientStore

    init() throws {
        session = try SKTestSession(configurationFileNamed: "MonkeyShop")
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
        store = ClientStore()
    }

    private static let filter = "com.example.monkeyshop.filter.sepia"
    private static let credits = "com.example.monkeyshop.credits5"

    @Test func `a product can be loaded and purchased, and a refund removes the entitlement`() async throws {
        try await store.load([Self.filter, Self.credits])
        #expect(store.products.count == 2)
        let product = try #require(store.products.first { $0.id == Self.filter })
        let transaction = try #require(try await store.purchase(product))
        #expect(store.purchasedIDs == [Self.filter])
        try session.refundTransaction(identifier: UInt(transaction.id))
        await store.updatePurchases()
        #expect(store.purchasedIDs.isEmpty)
    }

    @Test func `an approved Ask to Buy purchase is delivered to the listener`() async throws {
        try await store.load([Self.filter])
        session.askToBuyEnabled = true
        let product = try #require(store.products.first)
        #expect(try await store.purchase(product) == nil)
        let transaction = try #require(session.allTransactions().first)
        #expect(transaction.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: transaction.identifier)
        await session.waitUntilIdle()
        try await eventually { !store.purchasedIDs.isEmpty }
        #expect(store.purchasedIDs == [Self.filter])
    }

    @Test func `a simulated network error is thrown to the app`() async throws {
        try await session.setSimulatedError(.generic(.networkError(URLError(.notConnectedToInternet))), forAPI: .loadProducts)
        await #expect(throws: StoreKitError.self) { try await store.load([Self.filter]) }
    }

    @Test func `a payment queue observer receives a purchase outside the app`() async throws {
        let observer = ClientObserver()
        let (bought, continuation) = AsyncStream.makeStream(of: String.self)
        observer.onPurchase = { continuation.yield($0) }
        SKPaymentQueue.default().add(observer)
        try session.buyProduct(productIdentifier: Self.credits)
        var purchases = bought.makeAsyncIterator()
        #expect(await purchases.next() == Self.credits)
        SKPaymentQueue.default().remove(observer)
    }

    @Test func `an observer on the main actor receives all callbacks`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let observer = MainActorObserver(continuation)
        let queue = SKPaymentQueue.default()
        queue.add(observer)
        queue.delegate = observer
        #expect(queue.transactionObservers.count == 1 && queue.delegate === observer)
        observer.buy(Self.credits)
        var events: [String] = []
        for await event in stream {
            events.append(event)
            if event.hasPrefix("removed") { break }
        }
        #expect(events == ["1 product", "finished", "bought", "removed"])
        queue.remove(observer)
    }

    @Test func `a refund request is approved at once`() async throws {
        try await store.load([Self.filter])
        let product = try #require(store.products.first)
        let transaction = try #require(try await store.purchase(product))
        #expect(try await session.device.beginRefundRequest(for: transaction.id) == .success)
        await store.updatePurchases()
        #expect(store.purchasedIDs.isEmpty && session.allTransactions().first?.cancelDate != nil)
    }
}
