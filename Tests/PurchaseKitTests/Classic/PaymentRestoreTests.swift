import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing
import Wire

@testable import PurchaseKit

/// Restores with StoreKit 1: the person chooses before anything is delivered.
@Suite struct PaymentRestoreTests {
    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia
    private let moonlight = SampleProduct.moonlight
    private let book = SampleProduct.book

    private func difference(
        gained: [ProductID] = [], kept: [ProductID] = [], declined: [ProductID] = [], undelivered: [ProductID] = []
    ) -> RestoreOutcome {
        var difference = RestoreDifference()
        (difference.gained, difference.kept, difference.declined, difference.undelivered) = (gained, kept, declined, undelivered)
        return .completed(difference)
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `a restore delivers the chosen products only, finishes the others, and returns the difference`(
        _ listening: ClassicApp.Listening
    ) async throws {
        let phone = try await ClassicApp.secondPhone(sepia, moonlight, book, credits)
        let app = try await ClassicApp.launch(phone, listening: listening)
        let offered = Mutex<[ProductID]>([])
        let first = await app.restore { [deliveries = app.deliveries] products in
            #expect(deliveries.ids.isEmpty)
            offered.withLock { $0 = products.map(\.productID) }
            #expect(products.allSatisfy { !$0.isDelivered && $0.sources == [.store] })
            return [sepia]
        }
        #expect(offered.withLock { $0 } == [sepia, moonlight, book])
        #expect(first == difference(gained: [sepia], declined: [moonlight, book]))
        #expect(app.queue.transactions.isEmpty)
        #expect(app.deliveries.all.map(\.productID) == [sepia])
        let second = await app.restore { Set($0.map(\.productID).dropLast()) }
        #expect(second == difference(gained: [moonlight], kept: [sepia], declined: [book]))
        #expect(await app.restoreAll() == difference(gained: [book], kept: [sepia, moonlight]))
        #expect(app.queue.transactions.isEmpty)
        #expect(app.deliveries.all.map(\.productID) == [sepia, moonlight, book])
        #expect(app.events.restorable.isEmpty)
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `a restored transaction does not complete a new purchase`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await phoneWithRestored([sepia])
        let app = try await ClassicApp.launch(phone, listening: listening)
        let sheets = phone.user.sheets.count
        let restored = try #require(app.queue.transactions.first?.transactionIdentifier)
        let new = try #require(await app.buyDelivered(sepia))
        #expect(new != TransactionID(restored))
        #expect(phone.user.sheets.count == sheets + 1)
        #expect(app.queue.transactions.map(\.transactionIdentifier) == [restored])
    }

    @Test func `a restored purchase is delivered from its original transaction`() async throws {
        let owner = try await Phone()
        try await owner.buy(sepia)
        let bought = try #require(try await owner.charges.first?.transactionID)
        let app = try await ClassicApp.launch(try await Phone(account: owner.account))
        for _ in 1...3 { _ = await app.restoreAll() }
        #expect(app.deliveries.ids == [bought])
        #expect(app.deliveries.all.first?.isRestored == true)
    }

    @Test func `a restored purchase adds no credits`() async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia)) {
            $0.fulfillments[sepia] = .unlock("sepia").and(.credit("coins", 100))
        }
        #expect(await app.restoreAll() == difference(gained: [sepia]))
        #expect(await app.coins() == 0)
        #expect(await app.state.status(of: "sepia") == .owned(until: nil))
    }

    @Test func `a subscription is restored once, whatever the number of its periods`() async throws {
        try await StoreHarness.run(storekit: String(decoding: SampleCatalog.storekit, as: UTF8.self)) { store in
            let owner = try await Phone(at: store)
            try await owner.buy(SampleProduct.magazine)
            (store.clock as? ManualClock)?.advance(seconds: 40 * 86_400)
            let phone = try await Phone(account: owner.account, at: store)
            let app = try await ClassicApp.launch(phone) { $0.wallClock = store.clock }
            try await app.device.signIn(phone.credentials)
            await app.waitUntilIdle()
            let before = app.deliveries.ids
            let recorder = RecordingObserver()
            app.queue.add(recorder)
            let offered = Mutex<[RestorableProduct]>([])
            let outcome = await app.restore { products in
                offered.withLock { $0 = products }
                return Set(products.map(\.productID))
            }
            #expect(recorder.originals.count == 2)
            #expect(offered.withLock { $0.map(\.productID) } == [SampleProduct.magazine])
            guard case .completed = outcome else {
                Issue.record("The restore did not complete.")
                return
            }
            #expect(app.queue.transactions.isEmpty)
            #expect(app.deliveries.ids.count - before.count <= 1)
        }
    }

    @Test func `a product that could not be delivered is restored again`() async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia, moonlight), listening: .queue)
        app.deliveries.fail(.refused("No."), .refused("No."))
        #expect(await app.restoreAll() == difference(undelivered: [sepia, moonlight]))
        #expect(app.queue.transactions.count == 2)
        #expect(await app.restoreAll() == difference(gained: [sepia, moonlight]))
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `a restore without restorable purchases does not ask the person`() async throws {
        let phone = try await Phone()
        try await phone.buy(credits)
        let app = try await ClassicApp.launch(phone)
        let outcome = await app.restore { _ in
            Issue.record("The person was asked.")
            return []
        }
        #expect(outcome == .nothingToRestore(unreachable: []))
        #expect(await !app.state.isRestoring)
    }

    @Test func `a restore has one ending: its cancellation or its failure`() async throws {
        let phone = try await ClassicApp.secondPhone(sepia)
        let app = try await ClassicApp.launch(phone)
        phone.user.script(cancelsSignIn: true)
        #expect(await app.restoreAll() == .canceled)
        phone.user.script(cancelsSignIn: false)
        phone.transport.set(offline: true)
        guard case .failed(let failure) = await app.restoreAll() else {
            Issue.record("The restore did not fail.")
            return
        }
        #expect(failure.cause == .init(domain: SKErrorDomain, code: 0))
        phone.transport.set(offline: false)
        #expect(await app.restoreAll() == difference(gained: [sepia]))
        #expect(await !app.state.isRestoring)
    }

    @Test func `a concurrent restore joins the first, also one of StoreKit 2`() async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia))
        let choices = Mutex(0)
        let calls = CallCount()
        let (opened, gate) = AsyncStream.makeStream(of: Never.self)
        defer { gate.finish() }
        let choose: @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID> = { products in
            choices.withLock { $0 += 1 }
            for await _ in opened {}
            return Set(products.map(\.productID))
        }
        async let one = app.restore(choose)
        try await eventually { choices.withLock { $0 } == 1 }
        #expect(await app.state.isRestoring)
        async let two = app.onDevice {
            calls.increase()
            return await app.observer.restore(choose: choose)
        }
        async let three = app.onDevice {
            calls.increase()
            return await app.purchases.restore(choose: choose)
        }
        try await eventually { calls.value == 2 }
        // A call that has begun on the main actor has joined when later work there has run.
        for _ in 1...20 { await app.onDevice {} }
        gate.finish()
        let outcomes = await [one, two, three]
        #expect(outcomes == Array(repeating: difference(gained: [sepia]), count: 3))
        #expect(choices.withLock { $0 } == 1)
    }

    @Test func `a purchase completes while the person chooses`() async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia))
        let bought = Mutex<TransactionID?>(nil)
        let outcome = await app.restore { products in
            if case .purchased(let purchase, .delivered) = await app.observer.buy(Phone.payment(credits)) {
                bought.withLock { $0 = purchase.id }
            }
            return Set(products.map(\.productID))
        }
        #expect(bought.withLock { $0 } != nil)
        var expected = RestoreDifference()
        (expected.gained, expected.balances) = ([sepia], ["coins": 5])
        #expect(outcome == .completed(expected))
    }

    @Test func `a restore ends at its deadline, and late transactions wait for the next restore`() async throws {
        let phone = try await ClassicApp.secondPhone(sepia)
        let app = try await ClassicApp.launch(phone)
        try await app.device.signIn(phone.credentials)
        await app.waitUntilIdle()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        defer { holding.finish() }
        phone.transport.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        async let restoring = app.onDevice {
            await Device.withUserGesture { await app.observer.restore { Set($0.map(\.productID)) } }
        }
        await app.clock.waitForSleeps { $0.contains(.seconds(120)) }
        await app.clock.endSleeps()
        #expect(await restoring == .failed(PurchaseFailure(.network)))
        holding.finish()
        await app.waitUntilIdle()
        #expect(app.deliveries.ids.isEmpty)
        try await eventually { app.events.restorable == [[sepia]] }
        #expect(await app.restoreAll() == difference(gained: [sepia]))
        #expect(app.queue.transactions.isEmpty)
    }

    @Test(arguments: [UUID().uuidString, "jane"])
    func `a restore can be limited to an application username`(_ username: String) async throws {
        let owner = try await Phone()
        let (device, _) = try await owner.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(sepia, username: username))
        device.paymentQueue.add(Phone.payment(moonlight, username: "another"))
        await device.waitUntilIdle()
        let app = try await ClassicApp.launch(try await Phone(account: owner.account))
        #expect(await app.restore(username: username) { Set($0.map(\.productID)) } == difference(gained: [sepia]))
    }

    @Test func `a limited restore leaves alone what an earlier restore has left of other users`() async throws {
        let (owner, user) = (try await Phone(), UUID().uuidString)
        let (device, _) = try await owner.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(sepia, username: user))
        device.paymentQueue.add(Phone.payment(moonlight, username: UUID().uuidString))
        await device.waitUntilIdle()
        let phone = try await Phone(account: owner.account)
        do {
            // The transactions of the first restore are in the queue, and the app ends before anybody has chosen.
            let device = try phone.launch()
            device.paymentQueue.restoreCompletedTransactions()
            await device.waitUntilIdle()
        }
        let app = try await ClassicApp.launch(phone)
        let offered = Mutex<[ProductID]>([])
        _ = await app.restore(username: user) { products in
            offered.withLock { $0 = products.map(\.productID) }
            return []
        }
        #expect(offered.withLock { $0 } == [sepia])
        #expect(app.queue.transactions.map(\.payment.productIdentifier) == [moonlight.rawValue])
    }

    @Test(arguments: [true, false])
    func `the server decides about the restored purchases of another customer`(isMoved: Bool) async throws {
        let (owner, other, customer) = (try await Phone(), CustomerID(UUID()), CustomerID(UUID()))
        let (device, _) = try await owner.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(sepia, username: other.rawValue))
        await device.waitUntilIdle()
        let database = StubPurchaseService.Database(verifier: owner.harness.verifier)
        let server = StubPurchaseService(database, customer: customer)
        let app = try await ClassicApp.launch(try await Phone(account: owner.account), customer: customer) {
            $0.server = ServerConnection(server)
        }
        let outcome = await app.restore { offered in
            #expect(offered.map(\.isOfOtherCustomer) == [true])
            for purchase in await app.vault.purchases where isMoved {
                database.move(purchase.payload.originalTransactionId, to: customer)
            }
            return Set(offered.map(\.productID))
        }
        #expect(outcome == (isMoved ? difference(gained: [sepia]) : difference(undelivered: [sepia])))
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `without a server, purchases of another customer of the app are not offered`() async throws {
        let (owner, customer) = (try await Phone(), CustomerID(UUID()))
        let (device, _) = try await owner.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(sepia, username: customer.rawValue))
        device.paymentQueue.add(Phone.payment(moonlight, username: UUID().uuidString))
        await device.waitUntilIdle()
        let app = try await ClassicApp.launch(try await Phone(account: owner.account), customer: customer)
        #expect(await app.restoreAll() == difference(gained: [sepia]))
        #expect(app.queue.transactions.isEmpty)
    }

    // MARK: - Restored transactions without a restore

    /// A phone whose queue has restored transactions that an earlier app session did not handle.
    private func phoneWithRestored(_ products: [ProductID]) async throws -> Phone {
        let first = try await Phone()
        for product in products { try await first.buy(product) }
        let phone = try await Phone(account: first.account)
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.count == products.count)
        return phone
    }

    /// A queue that announces the end of a restore before its transactions, as on macOS.
    private final class HastyQueue: SKPaymentQueue, @unchecked Sendable {
        private let restored: [SKPaymentTransaction]
        private var observers: [any SKPaymentTransactionObserver] = []

        init(_ restored: [SKPaymentTransaction]) { self.restored = restored }

        override var transactions: [SKPaymentTransaction] { restored }
        override func add(_ observer: any SKPaymentTransactionObserver) { observers.append(observer) }
        override func finishTransaction(_ transaction: SKPaymentTransaction) {}

        override func restoreCompletedTransactions() {
            for observer in observers { observer.paymentQueueRestoreCompletedTransactionsFinished?(self) }
        }

        /// Announces the transactions.
        func announce() {
            for observer in observers { observer.paymentQueue(self, updatedTransactions: restored) }
        }
    }

    @Test func `a restore has every transaction although the queue announces its end first`() async throws {
        let phone = try await phoneWithRestored([sepia, moonlight])
        let app = try await ClassicApp.launch(phone, listening: .queue)
        let queue = HastyQueue(app.queue.transactions)
        let observer = await app.onDevice { PaymentObserver(app.purchases, queue: queue) }
        await app.onDevice { observer.start() }
        let offered = Mutex<[ProductID]>([])
        _ = await app.onDevice {
            await Device.withUserGesture {
                await observer.restore { products in
                    offered.withLock { $0 = products.map(\.productID) }
                    queue.announce()
                    return []
                }
            }
        }
        #expect(offered.withLock { Set($0) } == [sepia, moonlight])
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `restored transactions of an earlier launch are announced, and delivered by the next restore only`(
        _ listening: ClassicApp.Listening
    ) async throws {
        let phone = try await phoneWithRestored([sepia, moonlight])
        let app = try await ClassicApp.launch(phone, listening: listening)
        try await eventually { app.events.restorable == [[sepia, moonlight]] }
        await app.onDevice { await app.purchases.retry() }
        await app.waitUntilIdle()
        #expect(app.deliveries.ids.isEmpty)
        #expect(app.queue.transactions.count == 2)
        #expect(app.events.restorable.count == 1)
        #expect(await app.restore { _ in [sepia] } == difference(gained: [sepia], declined: [moonlight]))
        #expect(app.queue.transactions.isEmpty)
        #expect(app.deliveries.all.map(\.productID) == [sepia])
    }

    @Test func `without an observer, restored transactions are not delivered until a restore of StoreKit 2, which finishes them`()
        async throws
    {
        let phone = try await phoneWithRestored([sepia, moonlight])
        let app = try await ClassicApp.launch(phone)
        app.observer.stop()
        app.device.wake()
        await app.waitUntilIdle()
        #expect(app.deliveries.ids.isEmpty)
        let outcome = await app.onDevice {
            await Device.withUserGesture { await app.purchases.restore { _ in [moonlight] } }
        }
        #expect(outcome == difference(gained: [moonlight], declined: [sepia]))
        await app.waitUntilIdle()
        #expect(app.queue.transactions.isEmpty)
        #expect(app.deliveries.all.map(\.productID) == [moonlight])
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `a restore that the app requests from the queue itself delivers nothing behind the person's back`(
        _ listening: ClassicApp.Listening
    ) async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia, SampleProduct.magazine), listening: listening)
        await app.onDevice { Device.withUserGesture { app.queue.restoreCompletedTransactions() } }
        await app.waitUntilIdle()
        try await eventually { Set(app.events.restorable.joined()) == [sepia, SampleProduct.magazine] }
        #expect(app.deliveries.ids.isEmpty)
        #expect(app.queue.transactions.count == 2)
    }

    @Test func `a repeated purchase that the app did not deliver is not mistaken for a restored one`() async throws {
        let phone = try await Phone()
        try await phone.buy(sepia)
        try await phone.buy(sepia, finishing: false)
        let app = try await ClassicApp.launch(phone, waits: false)
        // Only StoreKit 2 reports the purchase.
        app.observer.stop()
        await app.waitUntilIdle()
        #expect(app.deliveries.all.map(\.productID) == [sepia])
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `the reason of a restore is kept until the restore is complete, also in a later app session`() async throws {
        let phone = try await ClassicApp.secondPhone(sepia)
        let (opened, gate) = AsyncStream.makeStream(of: Never.self)
        defer { gate.finish() }
        let reached = Mutex(false)
        let first = try await ClassicApp.launch(phone)
        async let interrupted = first.onDevice {
            await Device.withUserGesture {
                await first.observer.restore(reason: "download again") { _ in
                    reached.withLock { $0 = true }
                    for await _ in opened {}
                    return []
                }
            }
        }
        try await eventually { reached.withLock { $0 } }
        #expect(await first.observer.restoreReason() == "download again")
        await first.close()
        let app = try await ClassicApp.launch(phone)
        #expect(await app.observer.restoreReason() == "download again")
        try await eventually { app.events.all.contains(.restorable([sepia], reason: "download again")) }
        #expect(await app.restore(reason: "show all") { Set($0.map(\.productID)) } == difference(gained: [sepia]))
        #expect(await app.observer.restoreReason() == nil)
        gate.finish()
        _ = await interrupted
    }
}
