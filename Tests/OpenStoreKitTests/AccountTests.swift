import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

@Suite struct AccountTests {
    private let credits = SampleProduct.credits5

    @Test func `an account's unfinished transactions are hidden from the next account and return with their owner`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let bought = recorder.identifiers
        #expect(bought.count == 1)
        let other = try await phone.harness.createAccount()
        try await device.signIn(Credentials(of: other))
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(recorder.events.last == .removed(credits.rawValue))
        #expect(await device.unfinished().isEmpty)
        #expect(await device.purchases().isEmpty)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == bought)
        #expect(await device.unfinished().count == 1)
        #expect(await device.purchases().count == 1)
    }

    @Test func `a payment that one account confirmed is never charged to another account`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        phone.transport.fail(DeviceEndpoints.purchase, .offline)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let other = try await phone.harness.createAccount()
        try await device.signIn(Credentials(of: other))
        await device.waitUntilIdle()
        #expect(try await phone.harness.charges(of: other).isEmpty)
        #expect(try await phone.charges.isEmpty)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
        #expect(try await phone.harness.charges(of: other).isEmpty)
    }

    @Test func `an account that signs in at the prompt is not charged for another account's payment`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        try await device.signIn(phone.credentials)
        let other = try await phone.harness.createAccount()
        let otherUser = ScriptedInterface(Credentials(of: other))
        phone.transport.fail(DeviceEndpoints.purchase, .refused(status: 401))
        let second = try phone.launch { $0.interface = otherUser }
        let recorder = RecordingObserver(finishes: true)
        second.paymentQueue.add(recorder)
        second.paymentQueue.add(Phone.payment(credits))
        await second.waitUntilIdle()
        #expect(otherUser.signInPrompts == 1)
        #expect(try await phone.harness.charges(of: other).isEmpty)
        #expect(try await phone.charges.isEmpty)
        #expect(second.paymentQueue.transactions.isEmpty)
    }

    @Test func `a payment without an owner belongs to the first account that signs in`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .offline)
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        let other = try await phone.harness.createAccount()
        try await device.signIn(Credentials(of: other))
        await device.waitUntilIdle()
        #expect(try await phone.harness.charges(of: other).isEmpty)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `signing out hides transactions and deletes the receipt, also after a relaunch`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(FileManager.default.fileExists(atPath: device.receiptURL.path))
        try await device.signOut()
        await device.waitUntilIdle()
        #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path))
        #expect(recorder.events.last == .removed(credits.rawValue))
        #expect(device.account == nil)
        let (next, nextRecorder) = try await phone.launch(finishing: false)
        #expect(nextRecorder.events.isEmpty)
        #expect(next.paymentQueue.transactions.isEmpty)
        try await next.signIn(phone.credentials)
        await next.waitUntilIdle()
        #expect(nextRecorder.events == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `an expired session signs the account out and keeps its transactions in the queue`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        phone.transport.fail(DeviceEndpoints.unfinished, .refused(status: 401))
        let (next, recorder) = try await phone.launch(finishing: false)
        #expect(next.account == nil)
        #expect(recorder.events == [.updated(.purchased, credits.rawValue)])
    }

    @Test func `two devices of one account that buy at the same time receive distinct transactions`() async throws {
        let phone = try await Phone()
        let tablet = try await Phone(account: phone.account)
        let (one, first) = try await phone.launch(finishing: true)
        let (two, second) = try await tablet.launch(finishing: true)
        // A device that signs in after a purchase also receives the unfinished transactions of the account's other devices.
        for device in [one, two] { try await device.signIn(phone.credentials) }
        for _ in 1...5 {
            one.paymentQueue.add(Phone.payment(credits))
            two.paymentQueue.add(Phone.payment(credits))
        }
        async let settled: Void = one.waitUntilIdle()
        await two.waitUntilIdle()
        await settled
        #expect(first.identifiers.count == 5, "\(first.events) \(first.identifiers)")
        #expect(second.identifiers.count == 5)
        #expect(Set(first.identifiers).isDisjoint(with: second.identifiers))
        #expect(Set(try await phone.charges.map(\.transactionID.rawValue)) == Set(first.identifiers + second.identifiers))
    }

    @Test func `a purchase call is canceled when its account signs out`() async throws {
        let phone = try await Phone()
        let user = UnresponsiveUser()
        let device = try await phone.launchSignedIn { $0.interface = user }
        async let callResult = device.purchase(
            PaymentRequest(id: PaymentID(UUID()), productID: credits, quantity: 1, username: nil, product: nil))
        await user.waitForSheet()
        try await device.signOut()
        guard case .cancelled = await callResult else { return #expect(Bool(false)) }
        #expect(try Journal(path: phone.journal).records().isEmpty)
        device.engine.close()
    }

    @Test func `restored transactions of one account are not delivered to an account that signs in meanwhile`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia)
        let tablet = try await Phone(account: phone.account)
        let (device, recorder) = try await tablet.launch(finishing: false)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        // The restore request carries the first account's token; the second account signs in before the reply.
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        tablet.transport.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        let calls = tablet.transport.calls.count
        device.paymentQueue.restoreCompletedTransactions()
        await tablet.transport.waitForCalls(exceeding: calls)
        try await device.signIn(Credentials(of: phone.harness.createAccount()))
        holding.finish()
        await device.waitUntilIdle()
        #expect(recorder.identifiers.isEmpty)
        #expect(recorder.restoreResults == [.restoreFailed(SKErrorDomain, 0)])
        #expect(device.paymentQueue.transactions.isEmpty)
    }
}
