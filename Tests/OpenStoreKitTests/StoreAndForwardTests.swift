import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

/// Long offline periods, lost and duplicated replies, and erased devices.
@Suite struct StoreAndForwardTests {
    private let products = [SampleProduct.credits5, SampleProduct.credits10, SampleProduct.sepia, SampleProduct.moonlight]

    @Test func `payments stay in order and readable through hours without a network`() async throws {
        let store = try await StoreHarness.start()
        let phone = try await Phone(at: store)
        let (device, recorder) = try await phone.launch(finishing: false)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        phone.transport.set(offline: true)
        for product in products { device.paymentQueue.add(Phone.payment(product)) }
        await device.waitUntilIdle()
        for _ in 0..<12 {
            try await store.advance(seconds: 3_600)
            await phone.retry(device)
            let queue = device.paymentQueue.transactions
            #expect(queue.map(\.payment.productIdentifier) == products.map(\.rawValue))
            #expect(queue.allSatisfy { $0.transactionState == .purchasing })
            #expect(await device.unfinished().isEmpty)
        }
        // Waits double from one second to five minutes; without jitter each is half as long.
        let waits = phone.clock.sleepDurations.suffix(12).map {
            $0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000
        }
        #expect(waits == waits.sorted())
        #expect(waits.last == 150_000)
        phone.transport.set(offline: false)
        await phone.retry(device)
        #expect(try await phone.charges.map(\.productID) == products)
        #expect(recorder.identifiers == (try await phone.charges.map(\.transactionID.rawValue)))
    }

    /// The number of times that the store refuses the session at the finish, and the number of purchases; the user signs in once.
    @Test(arguments: [(0, 2), (1, 2), (2, 1)])
    func `a consumable that the app finished without a network is bought anew`(_ refusals: Int, _ purchases: Int) async throws {
        let store = try await StoreHarness.start()
        let phone = try await Phone(at: store)
        var app = AppRequest()
        app.restoresUnfinishedConsumables = true
        _ = try await store.call(ControlEndpoints.setApp, app, ["bundle": phone.configuration.bundleID.rawValue])
        let (device, recorder) = try await phone.launch(finishing: false)
        try await device.signIn(phone.credentials)
        device.paymentQueue.add(Phone.payment(SampleProduct.credits5))
        await device.waitUntilIdle()
        let first = try #require(device.paymentQueue.transactions.first)
        // The user confirms the second payment, which does not reach the store.
        phone.transport.fail(DeviceEndpoints.purchase, .offline)
        device.paymentQueue.add(Phone.payment(SampleProduct.credits5))
        await device.waitUntilIdle()
        phone.transport.set(offline: true)
        device.paymentQueue.finishTransaction(first)
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
        phone.transport.set(offline: false)
        for _ in 0..<refusals { phone.transport.fail(DeviceEndpoints.finish, .refused(status: 401)) }
        await phone.retry(device)
        let charges = try await phone.charges
        #expect(charges.map(\.productID) == Array(repeating: SampleProduct.credits5, count: purchases))
        #expect(recorder.identifiers == charges.map(\.transactionID.rawValue))
        #expect(recorder.errors.count == 2 - purchases)
    }

    @Test func `a purchase whose reply was lost on an erased device can be restored`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        phone.transport.fail(DeviceEndpoints.purchase, .lostReply)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.map(\.transactionState) == [.purchasing])
        // The same account with an empty folder.
        let erased = try await Phone(account: phone.account)
        let (fresh, recorder) = try await erased.launch(finishing: true)
        fresh.paymentQueue.restoreCompletedTransactions()
        await fresh.waitUntilIdle()
        #expect(recorder.originals == (try await phone.charges.map(\.transactionID.rawValue)))
        #expect(await fresh.purchases().count == 1)
    }

    @Test func `duplicated requests of every kind have a single effect`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: true)
        for _ in 1...4 {
            phone.transport.fail(DeviceEndpoints.purchase, .duplicated)
            phone.transport.fail(DeviceEndpoints.finish, .duplicated)
            phone.transport.fail(DeviceEndpoints.unfinished, .duplicated)
            phone.transport.fail(DeviceEndpoints.restore, .duplicated)
            phone.transport.fail(DeviceEndpoints.history, .duplicated)
        }
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.identifiers.count == 2)
        #expect(recorder.originals.count == 1)
        #expect(try await phone.charges.count == 1)
        #expect(device.paymentQueue.transactions.isEmpty)
    }

    @Test func `an interrupted purchase fails, and is delivered after a relaunch once the issue is resolved`() async throws {
        let phone = try await Phone()
        try await phone.harness.set(phone.account) { $0.interruptedPurchasesEnabled = true }
        let (device, recorder) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
        await device.waitUntilIdle()
        #expect(recorder.identifiers.isEmpty)
        #expect(recorder.errors.count == 1)
        #expect(device.paymentQueue.transactions.isEmpty)
        for pending in try await phone.harness.call(ControlEndpoints.interruptions, Empty()).pending
        where pending.account == phone.account {
            _ = try await phone.harness.call(ControlEndpoints.resolveInterruption, Empty(), ["payment": pending.payment.rawValue])
        }
        let (next, nextRecorder) = try await phone.launch(finishing: false)
        #expect(nextRecorder.identifiers == (try await phone.charges.map(\.transactionID.rawValue)))
        #expect(nextRecorder.identifiers.count == 1)
        #expect(await next.unfinished().count == 1)
    }

    @Test func `a device receives a renewal through the event stream`() async throws {
        let store = try await StoreHarness.start()
        let phone = try await Phone(at: store)
        let device = try Device(phone.configuration, retryPolicy: RetryPolicy { 0 }, logger: .silent)
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(SampleProduct.magazine))
        await device.waitUntilIdle()
        let updates = device.updates()
        try await store.advance(days: 32)
        for await signed in updates {
            let renewal = try await device.session.verify(signed).payload
            #expect(renewal.transactionReason == "RENEWAL")
            break
        }
    }
}
