import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

/// Refunds, ends of app sessions and other deliveries while a purchase is being delivered.
@Suite struct InterruptedDeliveryTests {
    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia
    private let moonlight = SampleProduct.moonlight

    /// The calls of a closure that delivers, and whether they fail.
    private final class Attempts: Sendable {
        let count = Mutex(0)
        let fails = Mutex(true)

        var fulfillment: Fulfillment {
            .perform { [self] _ throws(DeliveryError) in
                count.withLock { $0 += 1 }
                if fails.withLock({ $0 }) { throw .later("Try again later.") }
            }
        }
    }

    // MARK: Refunds

    @Test func `a refund during a delivery counts when the delivery ends`() async throws {
        let gate = Gate()
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[moonlight] = .unlock("moon").and(.deliver(GatedContent(gate: gate)))
        }
        async let outcome = app.onDevice { await app.purchases.buy(moonlight) }
        await gate.waitUntilReached()
        let id = try #require(try await app.phone.charges.first?.transactionID)
        try await app.phone.harness.refund(id)
        app.device.wake()
        await app.device.waitUntilIdle()
        gate.open()
        #expect(await outcome.delivered != nil)
        try await eventually { await app.state.status(of: "moon") == .none }
        try await eventually { app.events.all.contains(.revoked(moonlight, id)) }
        try await eventually { app.device.paymentQueue.transactions.isEmpty }
    }

    @Test func `a purchase that is refunded before its delivery is not delivered by a retry`() async throws {
        let attempts = Attempts()
        let app = try await KitApp.launch(try await Phone()) { $0.fulfillments[sepia] = attempts.fulfillment }
        guard case .purchased(let purchase, .delayed) = await app.onDevice({ await app.purchases.buy(sepia) }) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        try await app.phone.harness.refund(purchase.id)
        await app.wake()
        try await eventually { app.events.all.contains(.revoked(sepia, purchase.id)) }
        attempts.fails.withLock { $0 = false }
        let count = attempts.count.withLock { $0 }
        await app.clock.endSleeps()
        await app.waitUntilIdle()
        // An older version of the transaction, such as one that another session has read, delivers nothing, either.
        let older = IncomingTransaction(signed: purchase.transaction.original, finish: nil)
        guard case .revoked(let newest) = await app.purchases.parts.engine.fulfill(older) else {
            Issue.record("The older version was delivered.")
            return
        }
        #expect(newest.id == purchase.id && newest.transaction.payload.isRevoked)
        #expect(attempts.count.withLock { $0 } == count)
        #expect(await app.state.status(of: EntitlementName(sepia.rawValue)) == .none)
        #expect(await app.state.problems.isEmpty)
    }

    @Test func `a purchase that is refunded in part before its delivery adds the other part of its credits`() async throws {
        let attempts = Attempts()
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[credits] = .credit("coins", 5).and(attempts.fulfillment) }
        guard case .purchased(let purchase, .delayed) = await first.onDevice({ await first.purchases.buy(credits) }) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        await first.close()
        try await phone.harness.refund(purchase.id, percentage: 76_000)
        attempts.fails.withLock { $0 = false }
        let app = try await KitApp.launch(phone) { $0.fulfillments[credits] = .credit("coins", 5).and(attempts.fulfillment) }
        #expect(await app.state.balances.mapValues(\.amount) == ["coins": 2])
        #expect(app.device.paymentQueue.transactions.isEmpty)
        // An older version of the transaction delivers nothing more.
        let older = IncomingTransaction(signed: purchase.transaction.original, finish: nil)
        #expect(await app.purchases.parts.engine.fulfill(older).isFinished)
        #expect(await app.state.balances.mapValues(\.amount) == ["coins": 2])
    }

    @Test func `refunds at a launch count while a delivery is waiting`() async throws {
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[moonlight] = Attempts().fulfillment }
        let purchase = try #require(await first.buy(sepia).delivered)
        _ = await first.onDevice { await first.purchases.buy(moonlight) }
        await first.close()
        try await phone.harness.refund(purchase.id)
        let gate = Gate()
        let app = try await KitApp.launch(phone, waits: false) { $0.fulfillments[moonlight] = .deliver(GatedContent(gate: gate)) }
        await gate.waitUntilReached()
        try await eventually { await app.state.entitlements["sepia"]?.state == .revoked }
        gate.open()
    }

    // MARK: App sessions

    @Test func `a delivery that runs when the app session ends is repeated by the next one`() async throws {
        let phone = try await Phone()
        let gate = Gate()
        let app = try await KitApp.launch(phone) { $0.fulfillments[moonlight] = .deliver(GatedContent(gate: gate)) }
        async let outcome = app.onDevice { await app.purchases.buy(moonlight) }
        await gate.waitUntilReached()
        await app.close()
        let second = Gate()
        let again = try await KitApp.launch(phone, waits: false) { $0.fulfillments[moonlight] = .deliver(GatedContent(gate: second)) }
        gate.open()
        second.open()
        guard case .purchased(let purchase, .delayed) = await outcome else {
            Issue.record("The ended app session delivered.")
            return
        }
        #expect(await app.vault.contents.delivered.isEmpty)
        try await eventually { await again.vault.contents.delivered == [purchase.id] }
        await again.waitUntilIdle()
        #expect(await again.vault.contents.contents[moonlight] != nil)
        await again.close()
        #expect(try await KitApp.launch(phone).vault.contents.delivered == [purchase.id])
    }

    // MARK: Effects

    @Test func `a purchase adds the credits of all its currencies, and a refund revokes them`() async throws {
        let phone = try await Phone()
        let app = try await KitApp.launch(phone) { $0.fulfillments[credits] = .credit("coins", 5).and(.credit("gems", 1)) }
        let purchase = try #require(await app.buy(credits, quantity: 2).delivered)
        #expect(await app.state.balances.mapValues(\.amount) == ["coins": 10, "gems": 2])
        await app.close()
        let again = try await KitApp.launch(phone)
        #expect(await again.state.balances.mapValues(\.amount) == ["coins": 10, "gems": 2])
        try await phone.harness.refund(purchase.id)
        await again.wake()
        try await eventually { await again.state.balances.mapValues(\.amount) == ["coins": 0, "gems": 0] }
    }

    @Test func `a failed download does not call the app's closure again`() async throws {
        struct BrokenContent: ContentDelivery {
            let fails: Attempts

            func install(
                _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
            ) async throws(DeliveryError) -> InstalledContent {
                if fails.fails.withLock({ $0 }) { throw .later("No network.") }
                return .sample
            }
        }
        let (content, closure) = (Attempts(), Attempts())
        closure.fails.withLock { $0 = false }
        let app = try await KitApp.launch(try await Phone()) {
            $0.fulfillments[moonlight] = closure.fulfillment.and(.deliver(BrokenContent(fails: content)))
        }
        guard case .purchased(_, .delayed) = await app.onDevice({ await app.purchases.buy(moonlight) }) else {
            Issue.record("The delivery was not delayed.")
            return
        }
        #expect(closure.count.withLock { $0 } == 0)
        content.fails.withLock { $0 = false }
        await app.clock.endSleeps()
        try await eventually { await app.vault.contents.delivered.count == 1 }
        #expect(closure.count.withLock { $0 } == 1)
    }

    @Test func `purchases of one product install their content one after the other`() async throws {
        final class Overlap: ContentDelivery {
            let running = Mutex(0)
            let most = Mutex(0)

            func install(
                _ purchase: Purchase, report: @escaping @Sendable (Int64, Int64) -> Void
            ) async throws(DeliveryError) -> InstalledContent {
                let now = running.withLock { running in
                    running += 1
                    return running
                }
                most.withLock { $0 = max($0, now) }
                for _ in 1...20 { await Task.yield() }
                running.withLock { $0 -= 1 }
                return .sample
            }
        }
        let phone = try await Phone()
        let first = try await KitApp.launch(phone) { $0.fulfillments[credits] = Attempts().fulfillment }
        for _ in 1...3 { _ = await first.onDevice { await first.purchases.buy(credits) } }
        await first.close()
        let content = Overlap()
        let app = try await KitApp.launch(phone) { $0.fulfillments[credits] = .credit("coins", 5).and(.deliver(content)) }
        try await eventually { await app.coins() == 15 }
        #expect(content.most.withLock { $0 } == 1)
    }

    // MARK: Customers and pending purchases

    @Test func `without a server, a purchase of another customer waits until that customer is signed in`() async throws {
        let phone = try await Phone()
        let (jane, john) = (CustomerID(UUID()), CustomerID(UUID()))
        let first = try await KitApp.launch(phone, customer: jane) { $0.fulfillments[credits] = Attempts().fulfillment }
        _ = await first.onDevice { await first.purchases.buy(credits) }
        await first.close()
        let other = try await KitApp.launch(phone, customer: john)
        #expect(await other.coins() == 0)
        #expect(await other.state.problems.map(\.kind) == [.otherCustomer(credits)])
        #expect(!other.device.paymentQueue.transactions.isEmpty)
        await other.close()
        let again = try await KitApp.launch(phone, customer: jane)
        #expect(await again.coins() == 5)
        #expect(again.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `a pending purchase leaves the state when the request has expired`() async throws {
        let wallClock = ManualClock(SystemWallClock().now)
        let phone = try await Phone(askToBuyEnabled: true)
        let app = try await KitApp.launch(phone, wallClock: wallClock)
        #expect(await app.buy(sepia) == .pending)
        #expect(await app.state.pending.count == 1)
        wallClock.advance(seconds: PendingPurchase.secondsUntilExpiration + 1)
        await app.clock.endSleeps()
        try await eventually { await app.state.pending.isEmpty }
        await app.close()
        #expect(try await KitApp.launch(phone, wallClock: wallClock).vault.contents.pending.isEmpty)
    }
}
