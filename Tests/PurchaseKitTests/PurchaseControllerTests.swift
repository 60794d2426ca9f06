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
    /// An app session with a purchase controller.
    private struct App {
        // The phone retains its temporary folder.
        let phone: Phone
        let device: Device
        let vault: Vault
        let delivery: TestDelivery
        let controller: PurchaseController
        let events: Events

        final class Events: Sendable {
            let all = Mutex<[PurchaseEvent]>([])
        }

        init(
            _ phone: Phone,
            verifier: SignedDataVerifier? = nil,
            waitsUntilIdle: Bool = true,
            before: @escaping @Sendable (Purchase, SKPaymentQueue) async -> Void = { _, _ in }
        ) async throws {
            let verifier = verifier ?? phone.harness.verifier
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
            if waitsUntilIdle { await waitUntilIdle() }
        }

        func waitUntilIdle() async {
            for _ in 1...3 {
                await device.waitUntilIdle()
                await controller.idle()
            }
        }

        /// Buys a product and returns the identifier of the delivered transaction; nil if the purchase was not delivered.
        func buy(_ product: ProductID) async throws -> TransactionID? {
            guard case .delivered(let purchase) = await controller.buy(try .stub(product)) else { return nil }
            await waitUntilIdle()
            return purchase.transaction.payload.transactionId
        }
    }

    private let credits = MonkeyShopProduct.credits5
    private let sepia = MonkeyShopProduct.sepia
    private let moonlight = MonkeyShopProduct.moonlight

    @Test func `a purchase is finished after its delivery, not before`() async throws {
        let phone = try await Phone()
        let events = Mutex<[String]>([])
        let app = try await App(phone) { purchase, queue in
            let isQueued = queue.transactions.contains { $0.transactionIdentifier == purchase.transaction.payload.transactionId.rawValue }
            events.withLock {
                $0.append("delivering, in the queue: \(isQueued), finished at the store: \(phone.transport.count(DeviceEndpoints.finish))")
            }
        }
        let recorder = RecordingObserver { note in
            if case .removed = note { events.withLock { $0.append("removed") } }
        }
        app.device.paymentQueue.add(recorder)
        #expect(try await app.buy(credits) != nil)
        #expect(events.withLock { $0 } == ["delivering, in the queue: true, finished at the store: 0", "removed"])
        #expect(phone.transport.count(DeviceEndpoints.finish) == 1)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test(arguments: [DeliveryError.later("Later."), .refused("Never.")])
    func `an undelivered purchase stays in the queue until a retry delivers it`(_ error: DeliveryError) async throws {
        let phone = try await Phone()
        let app = try await App(phone)
        app.delivery.fail(error)
        guard case .undelivered(let purchase, error) = await app.controller.buy(try .stub(credits)) else {
            Issue.record("The outcome is not undelivered.")
            return
        }
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.count == 1)
        app.controller.retry()
        await app.waitUntilIdle()
        #expect(app.delivery.delivered == [purchase.transaction.payload.transactionId])
        #expect(app.device.paymentQueue.transactions.isEmpty)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `an undelivered purchase is delivered at the next launch`() async throws {
        let phone = try await Phone()
        do {
            let app = try await App(phone)
            app.delivery.fail(.later("Later."))
            _ = await app.controller.buy(try .stub(credits))
            await app.waitUntilIdle()
            app.controller.stop()
        }
        let app = try await App(phone)
        #expect(app.delivery.delivered.map(\.rawValue) == (try await phone.charges.map(\.transactionID.rawValue)))
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `canceled, pending and failed purchases have distinct outcomes`() async throws {
        let phone = try await Phone()
        phone.user.script(confirmations: [false])
        let app = try await App(phone)
        #expect(await app.controller.buy(try .stub(credits)) == .cancelled)
        guard case .failed("SKErrorDomain", 3, _) = await app.controller.buy(try .stub(credits), quantity: 11) else {
            Issue.record("The purchase did not fail with code 3.")
            return
        }
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.isEmpty)

        let child = try await App(try await Phone(askToBuyEnabled: true))
        #expect(await child.controller.buy(try .stub(credits)) == .pending)
        #expect(child.delivery.delivered.isEmpty)
    }

    @Test func `an Ask to Buy approval in the same launch is delivered and reported as an event`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        let app = try await App(phone)
        _ = await app.controller.buy(try .stub(credits))
        try await phone.decideApprovals(approve: true)
        app.device.engine.submit(.retry)
        await app.waitUntilIdle()
        #expect(app.delivery.delivered.count == 1)
        guard case .settled(credits, .delivered) = app.events.all.withLock({ $0.last }) else {
            Issue.record("The last event is not the delivery.")
            return
        }
    }

    @Test func `two purchases of one product have distinct transactions`() async throws {
        let app = try await App(try await Phone())
        let product = try SKProduct.stub(credits)
        async let one = app.controller.buy(product)
        async let two = app.controller.buy(product)
        let outcomes = await [one, two].map { outcome -> TransactionID? in
            guard case .delivered(let purchase) = outcome else { return nil }
            return purchase.transaction.payload.transactionId
        }
        #expect(outcomes.allSatisfy { $0 != nil })
        #expect(Set(outcomes).count == 2)
    }

    @Test func `an unfinished old transaction does not complete a new purchase`() async throws {
        let phone = try await Phone()
        try await phone.buy(credits, finishing: false)
        let old = try #require(try await phone.charges.first?.transactionID)
        // The new purchase begins before the queue has delivered the old transaction.
        let app = try await App(phone, waitsUntilIdle: false)
        let new = try await app.buy(credits)
        #expect(app.delivery.delivered.first == old)
        let latest = try await phone.charges.last?.transactionID
        #expect(latest != old)
        #expect(new == latest)
    }

    @Test func `a pending old payment does not complete a new purchase`() async throws {
        let phone = try await Phone()
        do {
            let (device, _) = try await phone.launch(finishing: true)
            try await device.signIn(phone.credentials)
            await device.waitUntilIdle()
            phone.transport.set(offline: true)
            device.paymentQueue.add(try SKPayment(product: .stub(credits)))
            await device.waitUntilIdle()
        }
        phone.transport.set(offline: false)
        let app = try await App(phone, waitsUntilIdle: false)
        app.controller.add(try .stub(credits))
        let new = try await app.buy(credits)
        await app.waitUntilIdle()
        let charged = try await phone.charges.map(\.transactionID)
        #expect(charged.count == 3)
        #expect(app.delivery.delivered == charged)
        #expect(new == charged.last)
    }

    @Test func `an untrusted transaction is neither delivered nor finished`() async throws {
        let phone = try await Phone()
        let app = try await App(phone, verifier: TestAuthority.other.verifier())
        guard case .failed(SKErrorDomain, 0, _) = await app.controller.buy(try .stub(credits)) else {
            Issue.record("It did not fail.")
            return
        }
        await app.waitUntilIdle()
        #expect(app.delivery.delivered.isEmpty)
        #expect(app.device.paymentQueue.transactions.count == 1)
    }

    @Test func `a released controller is deallocated with its device and vault`() async throws {
        let phone = try await Phone()
        weak var controller: PurchaseController?
        weak var device: Device?
        weak var vault: Vault?
        do {
            let app = try await App(phone)
            (controller, device, vault) = (app.controller, app.device, app.vault)
            #expect(try await app.buy(credits) != nil)
        }
        try await eventually { vault == nil && device == nil }
        #expect(controller == nil && device == nil && vault == nil)
    }

    // MARK: - Restoring

    /// A second phone of an account that purchased the products on another phone.
    private func secondPhone(_ products: ProductID...) async throws -> Phone {
        let first = try await Phone()
        for product in products { try await first.buy(product) }
        return try await Phone(account: first.account)
    }

    @Test func `a restore delivers the chosen products, finishes the rest, and returns the difference`() async throws {
        let phone = try await secondPhone(sepia, moonlight, MonkeyShopProduct.book, credits)
        let app = try await App(phone)
        let offered = Mutex<[ProductID]>([])
        let first = await app.controller.restore { products in
            offered.withLock { $0 = products }
            return [sepia]
        }
        #expect(offered.withLock { $0 } == [sepia, moonlight, MonkeyShopProduct.book])
        #expect(first == .finished(RestoreDifference(gained: [sepia], skipped: [moonlight, MonkeyShopProduct.book])))
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
        app.delivery.fail(.later("Later."))
        let second = await app.controller.restore { products in Set(products.reversed().dropFirst()) }
        // The second restore's first delivery fails: the product was delivered before, but this delivery is still due.
        #expect(second == .finished(RestoreDifference(gained: [moonlight], skipped: [MonkeyShopProduct.book], undelivered: [sepia])))
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.count == 1)
        let third = await app.controller.restore { Set($0) }
        #expect(third == .finished(RestoreDifference(gained: [MonkeyShopProduct.book], kept: [sepia, moonlight])))
        await app.waitUntilIdle()
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }

    @Test func `a restore without restorable purchases does not ask the user`() async throws {
        let app = try await App(try await Phone())
        let outcome = await app.controller.restore { _ in
            Issue.record("The user was asked.")
            return []
        }
        #expect(outcome == .finished(RestoreDifference()))
    }

    @Test func `a restore returns its cancellation or failure`() async throws {
        let phone = try await Phone()
        let app = try await App(phone)
        phone.user.script(cancelsSignIn: true)
        #expect(await app.controller.restore { Set($0) } == .cancelled)
        phone.user.script(cancelsSignIn: false)
        phone.transport.set(offline: true)
        guard case .failed(SKErrorDomain, 0, _) = await app.controller.restore(choose: { Set($0) }) else {
            Issue.record("It did not fail.")
            return
        }
    }

    @Test func `a concurrent restore joins the first and has its outcome`() async throws {
        let app = try await App(try await secondPhone(sepia))
        let choices = Atomic(0)
        let choose: @Sendable ([ProductID]) async -> Set<ProductID> = { products in
            choices.wrappingAdd(1, ordering: .relaxed)
            return Set(products)
        }
        async let one = app.controller.restore(choose: choose)
        async let two = app.controller.restore(choose: choose)
        let outcomes = await [one, two]
        #expect(outcomes.contains(.finished(RestoreDifference(gained: [sepia]))))
        #expect(outcomes[0] == outcomes[1] || choices.load(ordering: .relaxed) == 2)
    }

    @Test func `a purchase completes while the user chooses products to restore`() async throws {
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

    @Test func `restored transactions of an earlier launch are delivered by the next restore only`() async throws {
        let phone = try await secondPhone(sepia)
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        let app = try await App(phone)
        #expect(app.delivery.delivered.isEmpty)
        #expect(app.events.all.withLock { $0 } == [.restorable([sepia])])
        app.controller.retry()
        await app.waitUntilIdle()
        #expect(app.events.all.withLock { $0.count } == 1)
        #expect(await app.controller.restore { Set($0) } == .finished(RestoreDifference(gained: [sepia])))
        await app.waitUntilIdle()
        #expect(app.delivery.delivered.count == 2)
        #expect(app.device.paymentQueue.transactions.isEmpty)
    }
}

extension SKProduct {
    /// The product of the sample catalog with an identifier.
    static func stub(_ id: ProductID) throws -> SKProduct {
        SKProduct(try #require(try Catalog(storekit: MonkeyShopSample.storekit).product(id)))
    }
}
