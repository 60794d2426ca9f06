import Foundation
import LocalAppStore
import OpenStoreKit
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit

@Suite struct RestoreTests {
    private let sepia = SampleProduct.sepia
    private let moonlight = SampleProduct.moonlight
    private let magazine = SampleProduct.magazine

    /// Buys products on one phone, and returns another phone of the same account.
    private func secondPhone(after products: ProductID..., customer: CustomerID? = nil) async throws -> Phone {
        let phone = try await Phone()
        let app = try await KitApp.launch(phone, customer: customer)
        for product in products { try #require(await app.buy(product).delivered != nil) }
        await app.close()
        return try await Phone(account: phone.account)
    }

    /// Launches the app on a phone whose account is signed in.
    private func launch(
        _ phone: Phone, server: (any PurchaseService)? = nil, customer: CustomerID? = nil, clock: TestClock = TestClock(),
        _ configure: (inout PurchasesConfiguration) -> Void = { _ in }
    ) async throws -> KitApp {
        let device = try await phone.launchSignedIn()
        await device.waitUntilIdle()
        return try await KitApp.launch(phone, server: server, customer: customer, clock: clock, configure)
    }

    @Test func `a launch on another phone shows what is owned, and delivers nothing`() async throws {
        let second = try await secondPhone(after: sepia, moonlight)
        let performed = Mutex(0)
        let app = try await launch(second) {
            $0.fulfillments[moonlight] = .perform { _ throws(DeliveryError) in performed.withLock { $0 += 1 } }
        }
        try await eventually { await app.state.status(of: "sepia").isOwned }
        #expect(await app.state.status(of: EntitlementName(moonlight.rawValue)).isOwned)
        #expect(performed.withLock { $0 } == 0)
        #expect(await app.vault.contents.delivered.isEmpty)
        #expect(second.user.signInPrompts == 0)
        let restorable = await app.onDevice { await app.purchases.restorable() }
        #expect(restorable.map(\.productID) == [sepia, moonlight])
        #expect(restorable.allSatisfy { !$0.isDelivered && $0.sources == [.store] })
        #expect(performed.withLock { $0 } == 0)
        #expect(second.user.signInPrompts == 0)
    }

    @Test func `the chosen products are delivered, and the others are left alone`() async throws {
        let second = try await secondPhone(after: sepia, moonlight, magazine)
        let performed = Mutex<[ProductID]>([])
        let app = try await launch(second) {
            for product in [sepia, moonlight] {
                $0.fulfillments[product] = .perform { purchase throws(DeliveryError) in
                    performed.withLock { $0.append(purchase.productID) }
                }
            }
        }
        let offered = Mutex<[ProductID]>([])
        let outcome = await app.restore { products in
            offered.withLock { $0 = products.map(\.productID) }
            #expect(performed.withLock { $0.isEmpty })
            return [sepia]
        }
        #expect(offered.withLock { $0 } == [sepia, moonlight, magazine])
        guard case .completed(let difference) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(difference.gained == [sepia])
        #expect(difference.declined == [moonlight, magazine])
        #expect(difference.kept.isEmpty && difference.lost.isEmpty && difference.undelivered.isEmpty)
        #expect(performed.withLock { $0 } == [sepia])
        let again = await app.restore { Set($0.map(\.productID)) }
        guard case .completed(let next) = again else {
            Issue.record("\(again)")
            return
        }
        #expect(next.kept == [sepia])
        #expect(next.gained == [moonlight, magazine])
        #expect(performed.withLock { $0 } == [sepia, moonlight])
    }

    @Test func `a restored purchase adds no credits`() async throws {
        let phone = try await Phone()
        let starter: Fulfillment = .credit("coins", 100).and(.unlock("starter"))
        do {
            let app = try await KitApp.launch(phone) { $0.fulfillments[sepia] = starter }
            await app.buy(sepia)
            #expect(await app.coins() == 100)
            await app.close()
        }
        let app = try await launch(try await Phone(account: phone.account)) { $0.fulfillments[sepia] = starter }
        guard case .completed(let difference) = await app.restore({ Set($0.map(\.productID)) }) else {
            Issue.record("The restore is not complete.")
            return
        }
        #expect(difference.gained == [sepia])
        #expect(await app.state.status(of: "starter").isOwned)
        #expect(await app.coins() == 0)
    }

    @Test func `a restore finds the products that the customer has lost`() async throws {
        let phone = try await Phone()
        let app = try await KitApp.launch(phone)
        let purchase = try #require(await app.buy(sepia).delivered)
        await app.buy(moonlight)
        phone.transport.set(offline: true)
        try await phone.harness.refund(purchase.id)
        #expect(await app.state.status(of: "sepia").isOwned)
        phone.transport.set(offline: false)
        guard case .completed(let difference) = await app.restore({ Set($0.map(\.productID)) }) else {
            Issue.record("The restore is not complete.")
            return
        }
        #expect(difference.lost == [sepia])
        #expect(difference.kept == [moonlight])
        #expect(await app.state.status(of: "sepia") == .none)
    }

    @Test func `a restore without purchases says so, and does not ask`() async throws {
        let app = try await launch(try await Phone())
        let outcome = await app.restore { _ in
            Issue.record("The person was asked.")
            return []
        }
        #expect(outcome == .nothingToRestore(unreachable: []))
        #expect(await app.state.isRestoring == false)
    }

    @Test func `a canceled sign-in cancels the restore`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        let app = try await KitApp.launch(phone)
        #expect(await app.restore { _ in [] } == .canceled)
    }

    @Test func `a restore without a network fails, and says what to do`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let app = try await KitApp.launch(phone)
        #expect(await app.restore { _ in [] } == .failed(PurchaseFailure(.network)))
    }

    @Test func `a second restore joins the one that runs`() async throws {
        let second = try await secondPhone(after: sepia)
        let app = try await launch(second)
        let gate = Gate()
        async let first = app.restore { products in
            await gate.pass()
            return Set(products.map(\.productID))
        }
        await gate.waitUntilReached()
        #expect(await app.state.isRestoring)
        let joined = Mutex<RestoreOutcome?>(nil)
        async let other: Void = {
            let outcome = await app.restore { _ in
                Issue.record("The person was asked twice.")
                return []
            }
            joined.withLock { $0 = outcome }
        }()
        // A purchase completes while the person chooses.
        #expect(await app.onDevice { await app.purchases.buy(SampleProduct.credits5) }.delivered != nil)
        gate.open()
        let outcome = await first
        await other
        #expect(joined.withLock { $0 } == outcome)
        guard case .completed(let difference) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(difference.gained == [sepia])
        #expect(difference.balances == ["coins": 5])
    }

    @Test func `a store that does not answer ends a restore at its deadline, with what the server has`() async throws {
        let customer = CustomerID(UUID())
        let first = try await Phone()
        let database = StubPurchaseService.Database(verifier: first.harness.verifier)
        let server = StubPurchaseService(database, customer: customer)
        do {
            let app = try await KitApp.launch(first, server: server, customer: customer)
            await app.buy(sepia)
            await app.close()
        }
        let second = try await Phone(account: first.account)
        // The user never answers the sign-in.
        let stuck = Gate()
        second.transport.set { path in
            if path.contains("sign-in") { await stuck.pass() }
            return true
        }
        let app = try await KitApp.launch(second, server: server, customer: customer)
        async let restore = app.restore { Set($0.map(\.productID)) }
        await stuck.waitUntilReached()
        await app.clock.endSleeps()
        let outcome = await restore
        stuck.open()
        guard case .completed(let difference) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(difference.unreachable == [.store])
        #expect(difference.gained == [sepia])
    }

    @Test func `purchases of another customer of the app are neither owned nor restorable`() async throws {
        let (jane, john) = (CustomerID(UUID()), CustomerID(UUID()))
        let second = try await secondPhone(after: sepia, customer: jane)
        let other = try await launch(second, customer: john)
        #expect(await other.state.status(of: "sepia") == .none)
        #expect(await other.onDevice { await other.purchases.restorable() }.isEmpty)
        await other.close()
        let app = try await KitApp.launch(second, customer: jane)
        try await eventually { await app.state.status(of: "sepia").isOwned }
    }

    @Test func `the server states to whom a purchase belonged before`() async throws {
        let (jane, john) = (CustomerID(UUID()), CustomerID(UUID()))
        let second = try await secondPhone(after: sepia)
        let database = StubPurchaseService.Database(verifier: second.harness.verifier)
        database.transferring(from: john)
        let app = try await launch(second, server: StubPurchaseService(database, customer: jane), customer: jane)
        guard case .completed(let difference) = await app.restore({ Set($0.map(\.productID)) }) else {
            Issue.record("The restore is not complete.")
            return
        }
        #expect(difference.previousOwners == [sepia: PreviousOwner(customer: john, rule: .transferred)])
    }

    @Test func `a product that can't be delivered stays restorable`() async throws {
        let second = try await secondPhone(after: sepia, moonlight)
        let fails = Mutex(true)
        let app = try await launch(second) {
            $0.fulfillments[moonlight] = .perform { _ throws(DeliveryError) in
                if fails.withLock({ $0 }) { throw .refused("Not now.") }
            }
        }
        guard case .completed(let difference) = await app.restore({ Set($0.map(\.productID)) }) else {
            Issue.record("The restore is not complete.")
            return
        }
        #expect(difference.gained == [sepia])
        #expect(difference.undelivered == [moonlight])
        fails.withLock { $0 = false }
        guard case .completed(let again) = await app.restore({ Set($0.map(\.productID)) }) else {
            Issue.record("The restore is not complete.")
            return
        }
        #expect(again.gained == [moonlight])
        #expect(again.kept == [sepia])
    }
}
