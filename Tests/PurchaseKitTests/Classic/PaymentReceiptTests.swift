import Foundation
import LocalAppStore
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

/// The refresh of the receipt, and its verification on the device.
@Suite struct PaymentReceiptTests {
    private let credits = SampleProduct.credits5
    private let sepia = SampleProduct.sepia
    private let moonlight = SampleProduct.moonlight

    private func verification(_ phone: Phone, device id: DeviceID? = nil) -> ReceiptMaker {
        ReceiptMaker { device in
            let url = device.receiptURL
            return ReceiptVerification(
                roots: try TrustedRoots.apple(and: phone.harness.store.rootsPEM, in: [.sandbox]), bundleID: .test,
                environments: [.sandbox], appVersion: SampleCatalog.appVersion, device: id ?? device.id,
                receipt: { try? Data(contentsOf: url) })
        }
    }

    @Test(arguments: [false, true])
    func `a refresh delivers what the app does not have, once, and makes no new transactions`(_ verifies: Bool) async throws {
        let phone = try await ClassicApp.secondPhone(sepia, moonlight, credits)
        let app = try await ClassicApp.launch(phone, receipt: verifies ? verification(phone) : nil)
        let recorder = RecordingObserver()
        app.queue.add(recorder)
        #expect(await app.refreshReceipt() == .refreshed(added: [sepia, moonlight], undelivered: []))
        #expect(app.deliveries.all.map(\.productID).sorted() == [sepia, moonlight].sorted())
        #expect(await app.state.status(of: EntitlementName(sepia.rawValue)) == .owned(until: nil))
        #expect(await app.refreshReceipt() == .refreshed(added: [], undelivered: []))
        #expect(app.deliveries.ids.count == 2)
        #expect(await app.coins() == 0)
        #expect(recorder.events.isEmpty && app.queue.transactions.isEmpty)
        #expect(try await phone.charges.count == 3)
    }

    @Test func `a product that can't be delivered is stated, and delivered by the next refresh`() async throws {
        let app = try await ClassicApp.launch(try await ClassicApp.secondPhone(sepia))
        app.deliveries.fail(.refused("No."))
        #expect(await app.refreshReceipt() == .refreshed(added: [], undelivered: [sepia]))
        #expect(await app.refreshReceipt() == .refreshed(added: [sepia], undelivered: []))
    }

    @Test func `a refresh does not deliver a purchase of another customer`() async throws {
        let owner = try await Phone()
        let (device, _) = try await owner.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(sepia, username: UUID().uuidString))
        await device.waitUntilIdle()
        let app = try await ClassicApp.launch(try await Phone(account: owner.account), customer: CustomerID(UUID()))
        #expect(await app.refreshReceipt() == .refreshed(added: [], undelivered: []))
        #expect(app.deliveries.ids.isEmpty)
    }

    @Test func `a refresh has one ending: its cancellation, its failure or its deadline`() async throws {
        let phone = try await ClassicApp.secondPhone(sepia)
        let app = try await ClassicApp.launch(phone)
        phone.user.script(cancelsSignIn: true)
        #expect(await app.refreshReceipt() == .canceled)
        phone.user.script(cancelsSignIn: false)
        phone.transport.set(offline: true)
        guard case .failed(let failure) = await app.refreshReceipt() else {
            Issue.record("The refresh did not fail.")
            return
        }
        #expect(failure.cause?.domain == SKErrorDomain)
        phone.transport.set(offline: false)
        try await app.device.signIn(phone.credentials)
        await app.waitUntilIdle()
        // A request for the receipt waits until its task is canceled.
        phone.transport.set { path in
            guard path == DeviceEndpoints.receipt.template else { return true }
            let (never, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in never {}
            continuation.finish()
            return false
        }
        // The second call can come when the first one has ended, and has its own deadline then.
        let outcomes = await app.clock.endingSleeps {
            async let one = app.onDevice { await Device.withUserGesture { await app.observer.refreshReceipt() } }
            async let two = app.onDevice { await Device.withUserGesture { await app.observer.refreshReceipt() } }
            return await [one, two]
        }
        #expect(outcomes == [.failed(PurchaseFailure(.network)), .failed(PurchaseFailure(.network))])
        #expect(app.clock.sleepDurations.contains(.seconds(120)))
        #expect(app.deliveries.ids.isEmpty)
    }

    @Test func `a receipt of another device is refused, and nothing is delivered`() async throws {
        let phone = try await ClassicApp.secondPhone(sepia)
        let app = try await ClassicApp.launch(phone, receipt: verification(phone, device: DeviceID(UUID())))
        guard case .failed(let failure) = await app.refreshReceipt() else {
            Issue.record("The receipt was not refused.")
            return
        }
        #expect(failure.kind == .unverified)
        #expect(app.deliveries.ids.isEmpty)
    }

    @Test func `the state of the receipt file is missing, verified or refused`() async throws {
        let phone = try await Phone()
        let app = try await ClassicApp.launch(phone)
        let receipt = try verification(phone).make(app.device)
        guard case .missing = await receipt.status() else {
            Issue.record("The receipt is not missing.")
            return
        }
        await app.buy(sepia)
        guard case .verified(let verified) = await receipt.status() else {
            Issue.record("The receipt is not verified.")
            return
        }
        #expect(verified.payload.purchases.map(\.productID) == [sepia])
        var bytes = try Data(contentsOf: app.device.receiptURL)
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: app.device.receiptURL)
        guard case .refused = await receipt.status() else {
            Issue.record("The damaged receipt was not refused.")
            return
        }
    }
}
