import Foundation
import OpenStoreKit
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import PurchaseKit
@testable import StoreKit

@Suite struct PaymentObserverTests {
    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia

    @Test(arguments: ClassicApp.Listening.allCases)
    func `a purchase is finished after its delivery, not before`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await Phone()
        let notes = Mutex<[String]>([])
        let app = try await ClassicApp.launch(phone, listening: listening) { configuration in
            let vault = configuration.vault
            configuration.step = { step in
                guard case .recorded = step else { return }
                let isDurable = await !vault.contents.delivered.isEmpty
                let queued = SKPaymentQueue.default().transactions.count
                notes.withLock {
                    $0.append("durable: \(isDurable), queued: \(queued), finished: \(phone.transport.count(DeviceEndpoints.finish))")
                }
            }
        }
        let recorder = RecordingObserver { note in
            if case .removed = note { notes.withLock { $0.append("removed") } }
        }
        app.queue.add(recorder)
        #expect(await app.buyDelivered(credits) != nil)
        #expect(notes.withLock { $0 } == ["durable: true, queued: 1, finished: 0", "removed"])
        #expect(phone.transport.count(DeviceEndpoints.finish) == 1)
        #expect(app.queue.transactions.isEmpty)
        #expect(await app.coins() == 5)
    }

    @Test(arguments: [1, 3, 10])
    func `purchases that both APIs report are delivered once each`(_ quantity: Int) async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        for _ in 1...4 { app.observer.add(Phone.payment(credits, quantity: quantity)) }
        app.observer.add(Phone.payment(sepia))
        await app.waitUntilIdle()
        #expect(Set(app.deliveries.ids).count == 5 && app.deliveries.ids.count == 5)
        #expect(await app.coins() == Int64(20 * quantity))
        #expect(await app.state.status(of: EntitlementName(sepia.rawValue)) == .owned(until: nil))
        #expect(app.queue.transactions.isEmpty)
        await app.close()
        let again = try await ClassicApp.launch(phone)
        #expect(again.deliveries.ids.isEmpty)
        #expect(await again.coins() == Int64(20 * quantity))
        #expect(try await phone.charges.count == 5)
    }

    @Test(arguments: ClassicApp.Listening.allCases, [DeliveryError.later("Later."), .refused("Never.")])
    func `an undelivered purchase stays in the queue until a retry delivers it`(
        _ listening: ClassicApp.Listening, _ error: DeliveryError
    ) async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone, listening: listening)
        app.deliveries.fail(error, error, error)
        guard case .purchased(let purchase, let status) = await app.observer.buy(Phone.payment(credits)) else {
            Issue.record("The outcome is not purchased.")
            return
        }
        #expect(status != .delivered)
        #expect(app.queue.transactions.count == 1)
        try await eventually { await app.state.problems.count == 1 }
        try await eventually {
            await app.onDevice { await app.purchases.retry() }
            await app.waitUntilIdle()
            return app.queue.transactions.isEmpty
        }
        #expect(app.deliveries.ids == [purchase.id])
        #expect(await app.state.problems.isEmpty)
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `an undelivered purchase is delivered at the next launch`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await Phone()
        do {
            let app = try await ClassicApp.launch(phone, listening: listening)
            app.deliveries.fail(.refused("No."), .refused("No."), .refused("No."), .refused("No."))
            _ = await app.observer.buy(Phone.payment(credits))
            await app.device.waitUntilIdle()
            #expect(app.deliveries.ids.isEmpty)
            await app.close()
        }
        let app = try await ClassicApp.launch(phone, listening: listening)
        #expect(app.deliveries.ids == (try await phone.charges.map(\.transactionID)))
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `a call that waits for a payment ends when the app stops observing the queue`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        phone.transport.set(offline: true)
        async let outcome = app.observer.buy(Phone.payment(credits))
        try await eventually { await app.purchases.state.purchasing.contains(credits) }
        app.observer.stop()
        guard case .failed(let failure) = await outcome else {
            Issue.record("The call did not fail.")
            return
        }
        #expect(failure.message == "The app stopped observing the payment queue.")
    }

    @Test func `canceled, failed and pending purchases have distinct outcomes, and a cancellation is no error`() async throws {
        let phone = try await Phone()
        phone.user.script(confirmations: [false])
        let app = try await ClassicApp.launch(phone)
        #expect(await app.buy(credits) == .canceled)
        #expect(app.events.all.isEmpty)
        guard case .failed(let failure) = await app.buy(credits, quantity: 11) else {
            Issue.record("The purchase did not fail.")
            return
        }
        #expect(failure.kind == .invalidQuantity && failure.cause == .init(domain: SKErrorDomain, code: 3))
        #expect(app.queue.transactions.isEmpty)
        try await eventually { app.events.all == [.failed(credits, failure)] }

        let child = try await ClassicApp.launch(try await Phone(askToBuyEnabled: true))
        #expect(await child.buy(credits) == .pending)
        #expect(child.deliveries.ids.isEmpty)
        #expect(await child.state.pending.map(\.productID) == [credits])
        #expect(await child.state.purchasing.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an Ask to Buy approval is delivered, in the same app session or in a later one`(_ relaunches: Bool) async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        var app = try await ClassicApp.launch(phone, listening: .queue)
        #expect(await app.buy(credits, quantity: 2) == .pending)
        if relaunches {
            await app.close()
            app = try await ClassicApp.launch(phone, listening: .queue)
            #expect(await app.state.pending.count == 1)
        }
        try await phone.decideApprovals(approve: true)
        app.device.wake()
        await app.waitUntilIdle()
        #expect(app.deliveries.all.map(\.quantity) == [2])
        #expect(await app.state.pending.isEmpty)
        #expect(await app.coins() == 10)
        let delivered = try #require(app.deliveries.all.first)
        try await eventually { app.events.all.last == .delivered(delivered, isExpected: false) }
    }

    @Test func `a delivery is announced as expected if this app session has added its payment`() async throws {
        let phone = try await Phone()
        try await phone.buy(sepia, finishing: false)
        let app = try await ClassicApp.launch(phone, listening: .queue)
        let old = try #require(app.deliveries.all.first)
        #expect(await app.buyDelivered(credits) != nil)
        let new = try #require(app.deliveries.all.last)
        try await eventually {
            app.events.all == [.delivered(old, isExpected: false), .delivered(new, isExpected: true)]
        }
    }

    @Test func `a payment fails on a device that restricts purchases`() async throws {
        let app = try await ClassicApp.launch(try await Phone())
        try await app.device.change { $0.restrictsPayments = true }
        guard case .failed(let failure) = await app.buy(credits) else {
            Issue.record("The purchase did not fail.")
            return
        }
        #expect(failure.kind == .purchaseNotAllowed && failure.cause?.code == 4)
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `two purchases of one product have distinct transactions`() async throws {
        let app = try await ClassicApp.launch(try await Phone())
        async let one = app.buyDelivered(credits)
        async let two = app.buyDelivered(credits)
        let ids = await [one, two]
        #expect(ids.allSatisfy { $0 != nil } && Set(ids).count == 2)
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `an unfinished old transaction does not complete a new purchase`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await Phone()
        try await phone.buy(credits, finishing: false)
        let old = try #require(try await phone.charges.first?.transactionID)
        // The new purchase begins before the queue has announced the old transaction.
        let app = try await ClassicApp.launch(phone, listening: listening, waits: false)
        let new = await app.buyDelivered(credits)
        let charged = try await phone.charges.map(\.transactionID)
        #expect(charged.count == 2 && new == charged.last && new != old)
        #expect(Set(app.deliveries.ids) == Set(charged))
    }

    @Test func `a pending old payment does not complete a new purchase`() async throws {
        let phone = try await Phone()
        do {
            let (device, _) = try await phone.launch(finishing: true)
            try await device.signIn(phone.credentials)
            await device.waitUntilIdle()
            phone.transport.set(offline: true)
            device.paymentQueue.add(Phone.payment(credits))
            await device.waitUntilIdle()
        }
        phone.transport.set(offline: false)
        let app = try await ClassicApp.launch(phone, waits: false)
        app.observer.add(Phone.payment(credits))
        let new = await app.buyDelivered(credits)
        let charged = try await phone.charges.map(\.transactionID)
        #expect(charged.count == 3 && new == charged.last)
        #expect(Set(app.deliveries.ids) == Set(charged))
    }

    @Test func `a payment without a network waits in the queue and is charged once`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        try await app.device.signIn(phone.credentials)
        await app.waitUntilIdle()
        phone.transport.set(offline: true)
        app.observer.add(Phone.payment(credits))
        await app.device.waitUntilIdle()
        try await eventually { await app.state.purchasing == [credits] }
        phone.transport.set(offline: false)
        await phone.retry(app.device)
        await app.waitUntilIdle()
        #expect(await app.coins() == 5)
        #expect(await app.state.purchasing.isEmpty)
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: ClassicApp.Listening.allCases)
    func `an owned product that is bought again is delivered like the first purchase`(_ listening: ClassicApp.Listening) async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone, listening: listening)
        let first = await app.buyDelivered(sepia)
        let second = await app.buyDelivered(sepia)
        #expect(first != nil && second != nil && first != second)
        #expect(app.deliveries.ids == [first, second])
        #expect(app.deliveries.all.allSatisfy { !$0.isRestored })
        #expect(app.queue.transactions.isEmpty)
    }

    @Test func `an untrusted transaction is neither delivered nor finished`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone, verifier: TestAuthority.other.verifier())
        guard case .failed(let failure) = await app.buy(credits) else {
            Issue.record("The purchase did not fail.")
            return
        }
        #expect(failure.kind == .unverified)
        #expect(app.deliveries.ids.isEmpty)
        #expect(app.queue.transactions.count == 1)
        #expect(await app.state.problems.map(\.kind).contains(.unverifiedPurchase))
    }

    /// An observer of another library, which finishes every purchase.
    private final class ForeignObserver: NSObject, SKPaymentTransactionObserver, Sendable {
        let finished = Mutex<[SKPaymentTransaction]>([])

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions where transaction.transactionState == .purchased {
                finished.withLock { $0.append(transaction) }
                queue.finishTransaction(transaction)
            }
        }
    }

    @Test func `a purchase that another library has finished is reported, and not promised`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        let foreign = ForeignObserver()
        device.paymentQueue.add(foreign)
        device.paymentQueue.add(Phone.payment(credits))
        try await eventually { foreign.finished.withLock { $0.count } == 1 }
        await device.waitUntilIdle()
        let app = try await ClassicApp.launch(phone, listening: .queue)
        // The queue still announces the transaction to the kit.
        app.observer.paymentQueue(app.queue, updatedTransactions: foreign.finished.withLock { $0 })
        try await eventually { await app.state.problems.map(\.kind) == [.finishedElsewhere(credits)] }
        #expect(await app.coins() == 0)
    }

    @Test func `a payment carries the application username, by default that of the app's customer`() async throws {
        let customer = CustomerID(UUID())
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone, customer: customer)
        let product = try #require(try await app.onDevice { try await app.observer.products([credits]).products }.first)
        let payment = app.observer.payment(for: product, quantity: 2)
        #expect(payment.applicationUsername == customer.rawValue && payment.quantity == 2)
        #expect(app.observer.payment(for: product, applicationUsername: "jane").applicationUsername == "jane")
        guard case .purchased(let purchase, .delivered) = await app.observer.buy(payment) else {
            Issue.record("The purchase was not delivered.")
            return
        }
        #expect(purchase.transaction.payload.appAccountToken == customer && purchase.quantity == 2)
    }

    @Test func `a product request states the valid and the invalid products`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        let (products, invalid) = try await app.onDevice { try await app.observer.products([credits, SampleProduct.winterHat]) }
        #expect(products.map(\.productIdentifier) == [credits.rawValue] && invalid == [SampleProduct.winterHat])
    }

    /// An error of a failed transaction, and the kind of failure that the app receives.
    struct FailureCase: Sendable {
        let domain: String
        let code: Int
        var quantity = 1
        let kind: PurchaseFailure.Kind?
    }

    @Test(arguments: [
        FailureCase(domain: SKErrorDomain, code: 0, kind: .store), FailureCase(domain: SKErrorDomain, code: 1, kind: .purchaseNotAllowed),
        FailureCase(domain: SKErrorDomain, code: 2, kind: nil), FailureCase(domain: SKErrorDomain, code: 3, kind: .store),
        FailureCase(domain: SKErrorDomain, code: 3, quantity: 0, kind: .invalidQuantity),
        FailureCase(domain: SKErrorDomain, code: 4, kind: .purchaseNotAllowed),
        FailureCase(domain: SKErrorDomain, code: 5, kind: .productUnavailable),
        FailureCase(domain: SKErrorDomain, code: SKError.Code.ineligibleForOffer.rawValue, kind: .invalidOffer),
        FailureCase(domain: SKErrorDomain, code: 4711, kind: .store), FailureCase(domain: "SSServerErrorDomain", code: 5002, kind: .store),
        FailureCase(domain: "SSServerErrorDomain", code: 5020, kind: .store),
        FailureCase(domain: NSURLErrorDomain, code: -1009, kind: .network),
    ])
    func `a failed transaction is finished at once, and its code and text reach the app`(_ failure: FailureCase) async throws {
        let app = try await ClassicApp.launch(try await Phone())
        let queue = FinishedQueue()
        let transaction = SKPaymentTransaction()
        transaction.setValue(SKPaymentTransactionState.failed, forKey: "transactionState")
        transaction.setValue(Phone.payment(credits, quantity: failure.quantity), forKey: "payment")
        transaction.setValue(
            NSError(domain: failure.domain, code: failure.code, userInfo: [NSLocalizedDescriptionKey: "The text."]), forKey: "error")
        let observer = await app.onDevice { PaymentObserver(app.purchases, queue: queue) }
        observer.paymentQueue(queue, updatedTransactions: [transaction])
        #expect(queue.finished == [ObjectIdentifier(transaction)])
        await observer.waitUntilIdle()
        guard let kind = failure.kind else {
            #expect(app.events.all.isEmpty)
            return
        }
        let cause = PurchaseFailure.Cause(domain: failure.domain, code: failure.code)
        try await eventually { app.events.all == [.failed(credits, PurchaseFailure(kind, message: "The text.", cause: cause))] }
    }

    @Test func `a released observer is deallocated with its device, purchases and vault`() async throws {
        let phone = try await Phone()
        weak var observer: PaymentObserver?
        weak var device: Device?
        weak var vault: Vault?
        weak var purchases: Purchases?
        do {
            let app = try await ClassicApp.launch(phone)
            (observer, device, vault, purchases) = (app.observer, app.device, app.vault, app.purchases)
            #expect(await app.buyDelivered(credits) != nil)
            #expect(await app.refreshReceipt() == .refreshed(added: [], undelivered: []))
        }
        try await eventually { vault == nil && device == nil }
        #expect(observer == nil && purchases == nil)
    }
}

/// A queue of no device that records the finished transactions.
private final class FinishedQueue: SKPaymentQueue, @unchecked Sendable {
    private let list = Mutex<[ObjectIdentifier]>([])

    var finished: [ObjectIdentifier] { list.withLock { $0 } }

    override func finishTransaction(_ transaction: SKPaymentTransaction) {
        list.withLock { $0.append(ObjectIdentifier(transaction)) }
    }
}
