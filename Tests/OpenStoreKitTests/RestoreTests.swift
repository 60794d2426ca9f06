import Foundation
import PurchaseModel
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

@Suite struct RestoreTests {
    /// A phone on which the products were purchased and finished.
    private func phoneWithPurchases(_ products: [ProductID]) async throws -> Phone {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        for product in products { device.paymentQueue.add(Phone.payment(product)) }
        await device.waitUntilIdle()
        return phone
    }

    @Test func `a restore without restorable purchases only finishes`() async throws {
        let phone = try await phoneWithPurchases([SampleProduct.credits5])
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events == [.restoreFinished])
    }

    @Test func `each restore delivers a new transaction with its original for every restorable purchase`() async throws {
        let products = [SampleProduct.sepia, SampleProduct.book, SampleProduct.magazine]
        let owner = try await phoneWithPurchases(products + [SampleProduct.credits5])
        let bought = Set(try await owner.charges.map(\.transactionID.rawValue))
        let phone = try await Phone(account: owner.account)
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events == products.map { .updated(.restored, $0.rawValue) } + [.restoreFinished])
        #expect(Set(recorder.originals).isSubset(of: bought) && recorder.originals.count == 3)
        #expect(bought.isDisjoint(with: recorder.identifiers))
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(Set(recorder.identifiers).count == 6)
        #expect(recorder.restoreResults.count == 2)
        #expect(device.paymentQueue.transactions.count == 6)
        for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        // The receipt is fetched once per restore and once after the finishes, not once per transaction.
        #expect(phone.transport.count(DeviceEndpoints.receipt) <= 4)
    }

    @Test func `canceling the sign-in fails the restore once with code 2`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events == [.restoreFailed(SKErrorDomain, 2)])
    }

    @Test func `a lost reply fails the restore, and its transactions are delivered at the next launch`() async throws {
        let owner = try await phoneWithPurchases([SampleProduct.sepia])
        let phone = try await Phone(account: owner.account)
        phone.transport.fail(DeviceEndpoints.restore, .lostReply)
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        // Launch and sign-in also request unfinished transactions; both end before the restore begins.
        try await device.signIn(owner.credentials)
        await device.waitUntilIdle()
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.events == [.restoreFailed(SKErrorDomain, 0)])
        let (_, next) = try await phone.launch(finishing: false)
        #expect(next.events == [.updated(.restored, SampleProduct.sepia.rawValue)])
    }

    @Test func `an expired session prompts one more sign-in`() async throws {
        let phone = try await phoneWithPurchases([SampleProduct.sepia])
        phone.transport.fail(DeviceEndpoints.restore, .refused(status: 401))
        let prompts = phone.user.signInPrompts
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(phone.user.signInPrompts == prompts + 1)
        #expect(recorder.events == [.updated(.restored, SampleProduct.sepia.rawValue), .restoreFinished])
    }

    @Test func `a late refusal of an old session does not end the new session`() async throws {
        let phone = try await phoneWithPurchases([SampleProduct.sepia])
        let prompts = phone.user.signInPrompts
        let (device, recorder) = try await phone.launch(finishing: false)
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.transport.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        phone.transport.fail(DeviceEndpoints.restore, .refused(status: 401))
        let calls = phone.transport.calls.count
        device.paymentQueue.restoreCompletedTransactions()
        await phone.transport.waitForCalls(exceeding: calls)
        try await device.signIn(phone.credentials)
        holding.finish()
        await device.waitUntilIdle()
        #expect(phone.user.signInPrompts == prompts)
        #expect(recorder.restoreResults == [.restoreFinished])
        #expect(device.account == phone.account)
    }

    @Test func `a second restore joins the first, and a purchase meanwhile is not blocked`() async throws {
        let phone = try await phoneWithPurchases([SampleProduct.sepia])
        let device = try phone.launch()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.transport.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        // The reply to the restore is held until the purchase is delivered.
        let recorder = RecordingObserver { event in
            if case .updated(.purchased, _) = event { holding.finish() }
        }
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: "somebody")
        device.paymentQueue.add(Phone.payment(SampleProduct.credits5))
        await device.waitUntilIdle()
        #expect(
            recorder.events.suffix(3) == [
                .updated(.purchased, SampleProduct.credits5.rawValue), .updated(.restored, SampleProduct.sepia.rawValue),
                .restoreFinished,
            ]
        )
        #expect(phone.transport.count(DeviceEndpoints.restore) == 1)
    }

    @Test func `a restore with an empty username restores all purchases`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia, username: "somebody"))
        await device.waitUntilIdle()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: "")
        await device.waitUntilIdle()
        #expect(recorder.events.prefix(2) == [.updated(.restored, SampleProduct.sepia.rawValue), .restoreFinished])
    }

    @Test(arguments: [UUID().uuidString, "jane", "Jane Doe"])
    func `a restore with a username restores only that customer's purchases`(_ customer: String) async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(SampleProduct.sepia, username: customer))
        device.paymentQueue.add(Phone.payment(SampleProduct.moonlight, username: "somebody else"))
        await device.waitUntilIdle()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: customer)
        await device.waitUntilIdle()
        #expect(recorder.events.prefix(2) == [.updated(.restored, SampleProduct.sepia.rawValue), .restoreFinished])
    }
}
