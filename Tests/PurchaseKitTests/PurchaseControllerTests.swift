import Foundation
import LocalAppStore
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import PurchaseKit
@testable import StoreKit

@Suite struct PurchaseControllerTests {
    /// One launch of an app that has a controller.
    private struct App {
        // Its folder lasts as long as somebody holds it.
        let phone: TestPhone
        let device: Device
        let vault: Vault
        let delivery: TestDelivery
        let controller: PurchaseController
        let events: Events

        final class Events: Sendable {
            let all = Mutex<[PurchaseEvent]>([])
        }

        init(
            _ phone: TestPhone,
            verifier: SignedDataVerifier? = nil,
            settling: Bool = true,
            before: @escaping @Sendable (Purchase, SKPaymentQueue) async -> Void = { _, _ in }
        ) async throws {
            let verifier =
                try verifier
                ?? SignedDataVerifier(
                    roots: .apple(and: phone.harness.store.rootsPEM, in: [.sandbox]), bundleID: .test, environments: [.sandbox]
                )
            self.phone = phone
            device = try phone.launch()
            vault = try await Vault(
                path: phone.folder.file("vault").path(percentEncoded: false),
                keychain: FileKeychain(folder: phone.folder.file("keychain").path(percentEncoded: false)),
                bundleID: .test, device: device.id.rawValue, verifier: verifier
            )
            delivery = TestDelivery(vault) { [queue = device.paymentQueue] in await before($0, queue) }
            let events = Events()
            self.events = events
            controller = PurchaseController(queue: device.paymentQueue, verifier: verifier, vault: vault, delivery: delivery) { event in
                events.all.withLock { $0.append(event) }
            }
            controller.start()
            if settling { await settle() }
        }

        func settle() async {
            for _ in 1...3 {
                await device.settle()
                await controller.idle()
            }
        }

        /// The identifier of what a buy delivered.
        func buy(_ product: ProductID) async throws -> TransactionID? {
            guard case .delivered(let purchase) = await controller.buy(try .sold(product)) else { return nil }
            await settle()
            return purchase.transaction.payload.transactionId
        }
    }

    private let credits = MonkeyShopProduct.credits5
    private let sepia = MonkeyShopProduct.sepia
    private let moonlight = MonkeyShopProduct.moonlight

    @Test func `a purchase is finished after it was delivered, not before`() async throws {
        let phone = try await TestPhone()
        let seen = Mutex<[String]>([])
        let app = try await App(phone) { purchase, queue in
            let isThere = queue.transactions.contains { $0.transactionIdentifier == purchase.transaction.payload.transactionId.rawValue }
            seen.withLock {
                $0.append("delivering, in the queue: \(isThere), finished at the store: \(phone.line.count(DeviceEndpoints.finish))")
            }
        }
        let witness = Witness { note in
            if case .removed = note { seen.withLock { $0.append("removed") } }
        }
        app.device.paymentQueue.add(witness)
        #expect(try await app.buy(credits) != nil)
        #expect(seen.withLock { $0 } == ["delivering, in the queue: true, finished at the store: 0", "removed"])
        #expect(phone.line.count(DeviceEndpoints.finish) == 1)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test(arguments: [DeliveryError.later("Later."), .refused("Never.")])
    func `what could not be delivered stays in the queue until a retry delivers it`(_ error: DeliveryError) async throws {
        let phone = try await TestPhone()
        let app = try await App(phone)
        app.delivery.fail(error)
        guard case .undelivered(let purchase, error) = await app.controller.buy(try .sold(credits)) else {
            Issue.record("It was not undelivered.")
            return
        }
        await app.settle()
        #expect(app.device.paymentQueue.transactions.count == 1)
        app.controller.retry()
        await app.settle()
        #expect(app.delivery.delivered == [purchase.transaction.payload.transactionId])
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `what could not be delivered is delivered at the next launch`() async throws {
        let phone = try await TestPhone()
        do {
            let app = try await App(phone)
            app.delivery.fail(.later("Later."))
            _ = await app.controller.buy(try .sold(credits))
            await app.settle()
            app.controller.stop()
        }
        let app = try await App(phone)
        #expect(app.delivery.delivered.map(\.rawValue) == (try await phone.charges.map(\.transaction.rawValue)))
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `cancelling, waiting and failing have outcomes of their own`() async throws {
        let phone = try await TestPhone()
        phone.user.script(confirmations: [false])
        let app = try await App(phone)
        #expect(await app.controller.buy(try .sold(credits)) == .cancelled)
        guard case .failed("SKErrorDomain", 3, _) = await app.controller.buy(try .sold(credits), quantity: 11) else {
            Issue.record("It did not fail with code 3.")
            return
        }
        await app.settle()
        #expect(app.device.paymentQueue.transactions.isEmpty)

        let child = try await App(try await TestPhone(asksToBuy: true))
        #expect(await child.controller.buy(try .sold(credits)) == .pending)
        #expect(child.delivery.delivered.isEmpty)
    }

    @Test func `an approval later in the same launch is delivered without anybody waiting`() async throws {
        let phone = try await TestPhone(asksToBuy: true)
        let app = try await App(phone)
        _ = await app.controller.buy(try .sold(credits))
        try await phone.harness.decide(phone.account, approve: true)
        app.device.engine.submit(.retry)
        await app.settle()
        #expect(app.delivery.delivered.count == 1)
        guard case .settled(credits, .delivered) = app.events.all.withLock({ $0.last }) else {
            Issue.record("Nobody was told.")
            return
        }
    }

    @Test func `two buys of one product have a transaction each`() async throws {
        let app = try await App(try await TestPhone())
        let product = try SKProduct.sold(credits)
        async let one = app.controller.buy(product)
        async let two = app.controller.buy(product)
        let outcomes = await [one, two].map { outcome -> TransactionID? in
            guard case .delivered(let purchase) = outcome else { return nil }
            return purchase.transaction.payload.transactionId
        }
        #expect(outcomes.allSatisfy { $0 != nil })
        #expect(Set(outcomes).count == 2)
    }

    @Test func `an old transaction that comes again does not settle a new buy`() async throws {
        let phone = try await TestPhone()
        try await phone.buy(credits, finishing: false)
        let old = try #require(try await phone.charges.first?.transaction)
        // The user is faster than the queue.
        let app = try await App(phone, settling: false)
        let new = try await app.buy(credits)
        #expect(app.delivery.delivered.first == old)
        let latest = try await phone.charges.last?.transaction
        #expect(latest != old)
        #expect(new == latest)
    }

    @Test func `an old payment that is still on its way does not settle a new buy`() async throws {
        let phone = try await TestPhone()
        do {
            let (device, _) = try await phone.launch(finishing: true)
            try await device.signIn(Credentials(account: phone.account, password: "ladder"))
            await device.settle()
            phone.line.set(away: true)
            device.paymentQueue.add(try SKPayment(product: .sold(credits)))
            await device.settle()
        }
        phone.line.set(away: false)
        let app = try await App(phone, settling: false)
        app.controller.add(try .sold(credits))
        let new = try await app.buy(credits)
        await app.settle()
        let charged = try await phone.charges.map(\.transaction)
        #expect(charged.count == 3)
        #expect(app.delivery.delivered == charged)
        #expect(new == charged.last)
    }

    @Test func `what no trusted store vouches for is not delivered and not finished`() async throws {
        let phone = try await TestPhone()
        let app = try await App(phone, verifier: TestAuthority.other.verifier())
        guard case .failed(SKErrorDomain, 0, _) = await app.controller.buy(try .sold(credits)) else {
            Issue.record("It did not fail.")
            return
        }
        await app.settle()
        #expect(app.delivery.delivered.isEmpty)
        #expect(app.device.paymentQueue.transactions.count == 1)
    }

    @Test func `a controller that nobody holds is gone, and its device with it`() async throws {
        let phone = try await TestPhone()
        weak var controller: PurchaseController?
        weak var device: Device?
        weak var vault: Vault?
        do {
            let app = try await App(phone)
            (controller, device, vault) = (app.controller, app.device, app.vault)
            #expect(try await app.buy(credits) != nil)
        }
        for _ in 1...100_000 where vault != nil || device != nil { await Task.yield() }
        #expect(controller == nil && device == nil && vault == nil)
    }

    // MARK: - Restoring

    /// A customer's second phone; the first has bought those products.
    private func secondPhone(_ products: ProductID...) async throws -> TestPhone {
        let first = try await TestPhone()
        for product in products { try await first.buy(product) }
        return try await TestPhone(account: first.account)
    }

    @Test func `a restore delivers what was chosen, finishes the rest, and says what changed`() async throws {
        let phone = try await secondPhone(sepia, moonlight, MonkeyShopProduct.book, credits)
        let app = try await App(phone)
        let offered = Mutex<[ProductID]>([])
        let first = await app.controller.restore { products in
            offered.withLock { $0 = products }
            return [sepia]
        }
        #expect(offered.withLock { $0 } == [sepia, moonlight, MonkeyShopProduct.book])
        #expect(first == .finished(RestoreDifference(gained: [sepia], skipped: [moonlight, MonkeyShopProduct.book])))
        await app.settle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
        app.delivery.fail(.later("Later."))
        let second = await app.controller.restore { products in Set(products.reversed().dropFirst()) }
        // The first one of the second restore fails: it was there before, and its delivery is still owed.
        #expect(second == .finished(RestoreDifference(gained: [moonlight], skipped: [MonkeyShopProduct.book], undelivered: [sepia])))
        await app.settle()
        #expect(app.device.paymentQueue.transactions.count == 1)
        let third = await app.controller.restore { Set($0) }
        #expect(third == .finished(RestoreDifference(gained: [MonkeyShopProduct.book], kept: [sepia, moonlight])))
        await app.settle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `nothing to restore asks nobody`() async throws {
        let app = try await App(try await TestPhone())
        let outcome = await app.controller.restore { _ in
            Issue.record("Somebody was asked.")
            return []
        }
        #expect(outcome == .finished(RestoreDifference()))
    }

    @Test func `a restore that is cancelled or fails says so`() async throws {
        let phone = try await TestPhone()
        let app = try await App(phone)
        phone.user.script(cancelsSignIn: true)
        #expect(await app.controller.restore { Set($0) } == .cancelled)
        phone.user.script(cancelsSignIn: false)
        phone.line.set(away: true)
        guard case .failed(SKErrorDomain, 0, _) = await app.controller.restore(choose: { Set($0) }) else {
            Issue.record("It did not fail.")
            return
        }
    }

    @Test func `a second restore joins the first and ends with it`() async throws {
        let app = try await App(try await secondPhone(sepia))
        let asked = Atomic(0)
        let choose: @Sendable ([ProductID]) async -> Set<ProductID> = { products in
            asked.wrappingAdd(1, ordering: .relaxed)
            return Set(products)
        }
        async let one = app.controller.restore(choose: choose)
        async let two = app.controller.restore(choose: choose)
        let outcomes = await [one, two]
        #expect(outcomes.contains(.finished(RestoreDifference(gained: [sepia]))))
        #expect(outcomes[0] == outcomes[1] || asked.load(ordering: .relaxed) == 2)
    }

    @Test func `a purchase goes on while the user is choosing`() async throws {
        let app = try await App(try await secondPhone(sepia))
        let bought = Mutex<TransactionID?>(nil)
        let outcome = await app.controller.restore { products in
            let id = try? await app.buy(credits)
            bought.withLock { $0 = id }
            return Set(products)
        }
        #expect(bought.withLock { $0 } != nil)
        #expect(outcome == .finished(RestoreDifference(gained: [sepia])))
    }

    @Test func `what an earlier launch restored waits for the next restore`() async throws {
        let phone = try await secondPhone(sepia)
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        let app = try await App(phone)
        #expect(app.delivery.delivered.isEmpty)
        #expect(app.events.all.withLock { $0 } == [.restorable([sepia])])
        app.controller.retry()
        await app.settle()
        #expect(app.events.all.withLock { $0.count } == 1)
        #expect(await app.controller.restore { Set($0) } == .finished(RestoreDifference(gained: [sepia])))
        await app.settle()
        #expect(app.delivery.delivered.count == 2)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }
}

extension SKProduct {
    /// What the store sells under an identifier.
    static func sold(_ id: ProductID) throws -> SKProduct {
        SKProduct(try #require(try Catalog(storekit: MonkeyShopSample.storekit).product(id)))
    }
}
