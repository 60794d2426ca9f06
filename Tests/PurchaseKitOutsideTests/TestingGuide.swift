import Foundation
import OpenStoreKit
import OpenStoreKitTest
import PurchaseKit
import PurchaseModel
import StoreKitTest
import Testing

@testable import KitShop

extension Purchases {
    /// Waits until the state meets a condition, and returns false if the time limit of the test ends the wait.
    func wait(until isMet: (PurchasesState) -> Bool) async -> Bool {
        for await state in states where isMet(state) { return true }
        return false
    }
}

/// Launches the app on the device of the test's session, whose folder is deleted with the session.
@MainActor func launch() async throws -> Purchases {
    let device = try #require(Device.active).configuration
    return try await openPurchases(of: device.bundleID, in: device.folder + "/app")
}

@Suite(.storeKit(configurationFileNamed: "KitShop"), .timeLimit(.minutes(10))) @MainActor
struct ShopTests {
    private let session: SKTestSession

    init() throws {
        session = try #require(SKTestSession.current)
    }
}

extension ShopTests {
    @Test func `coins are credited once, also after a relaunch`() async throws {
        let purchases = try await launch()
        #expect(await buy(.coins, from: purchases) == "Thank you!")
        #expect(purchases.state.balance(of: "coins") == 5)
        await purchases.stop()

        let relaunched = try await launch()
        #expect(await relaunched.wait { $0.areProductsLoaded && $0.areEntitlementsKnown })
        #expect(relaunched.state.balance(of: "coins") == 5)
        await relaunched.stop()
    }

    @Test func `a refund revokes coins and filter`() async throws {
        let purchases = try await launch()
        for product in [ProductID.coins, .sepia] { #expect(await buy(product, from: purchases) == "Thank you!") }
        #expect(purchases.state.status(of: "sepia") == .owned(until: nil))

        for transaction in session.allTransactions() { try session.refundTransaction(identifier: transaction.identifier) }
        #expect(await purchases.wait { $0.balance(of: "coins") == 0 && $0.status(of: "sepia") == .none })
        await purchases.stop()
    }

    @Test func `an approved purchase is delivered while nobody waits for it`() async throws {
        let purchases = try await launch()
        session.askToBuyEnabled = true
        #expect(await purchases.buy(.coins) == .pending)
        #expect(purchases.state.pending.map(\.productID) == [.coins])
        #expect(purchases.state.balance(of: "coins") == 0)

        var events = purchases.events.makeAsyncIterator()
        let request = try #require(session.allTransactions().first { $0.pendingAskToBuyConfirmation })
        try session.approveAskToBuyTransaction(identifier: request.identifier)
        #expect(await purchases.wait { $0.balance(of: "coins") == 5 && $0.pending.isEmpty })
        guard case .delivered(let purchase, isExpected: false) = await events.next() else {
            Issue.record("The purchase was not announced.")
            return
        }
        #expect(purchase.productID == .coins)
        await purchases.stop()
    }

    @Test func `an interrupted purchase is delivered when the issue is resolved`() async throws {
        let purchases = try await launch()
        session.interruptedPurchasesEnabled = true
        guard case .failed(let failure) = await purchases.buy(.coins) else {
            Issue.record("The purchase was not interrupted.")
            return
        }
        #expect(failure.kind == .store)

        session.interruptedPurchasesEnabled = false
        let interrupted = try #require(session.allTransactions().first { $0.hasPurchaseIssue })
        try session.resolveIssueForTransaction(identifier: interrupted.identifier)
        #expect(await purchases.wait { $0.balance(of: "coins") == 5 })
        await purchases.stop()
    }

    @Test func `an expired subscription gives no entitlement`() async throws {
        let purchases = try await launch()
        try await session.buyProduct(identifier: "com.example.magazine")
        let magazine: EntitlementName = "com.example.magazine"
        #expect(await purchases.wait { $0.status(of: magazine).isOwned })

        try session.expireSubscription(productIdentifier: "com.example.magazine")
        #expect(await purchases.wait { $0.status(of: magazine) == .none })
        #expect(purchases.state.entitlements[magazine]?.state == .expired)
        await purchases.stop()
    }
}
