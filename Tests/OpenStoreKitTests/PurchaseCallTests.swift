import Foundation
import PurchaseModel
import PurchaseProof
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit

/// Purchase calls and update streams, on which StoreKit 2 is built.
@Suite(.timeLimit(.minutes(10))) struct PurchaseCallTests {
    private let credits = SampleProduct.credits5

    private func request(_ product: ProductID) -> PaymentRequest {
        PaymentRequest(id: PaymentID(UUID()), productID: product, quantity: 1, username: nil, product: nil)
    }

    private func next(_ stream: AsyncStream<SignedTransaction>, _ device: Device) async throws -> TransactionPayload {
        for await signed in stream { return try await device.session.verify(signed).payload }
        throw CancellationError()
    }

    @Test func `a purchase returns its transaction, and the payment queue shows it until it is finished`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: false)
        guard case .purchased(let transaction) = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.waitUntilIdle()
        #expect(recorder.events == [.updated(.purchased, credits.rawValue)])
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == [transaction.payload.transactionId.rawValue])
        #expect(await device.unfinished() == [transaction.original])
        let history = await device.purchases().map(\.signedTransaction)
        #expect(history.count == 1)
        for signed in history {
            #expect(try await device.session.verify(signed).payload.transactionId == transaction.payload.transactionId)
        }
        await device.finish(transaction.payload.transactionId)
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(recorder.events.last == .removed(credits.rawValue))
        #expect(await device.unfinished().isEmpty)
        #expect(try await phone.charges.count == 1)
        // The store has recorded the finish, so the transaction is not delivered again.
        #expect(try await phone.launch(finishing: false).recorder.events.isEmpty)
    }

    @Test func `a canceled purchase call leaves no payment`() async throws {
        let phone = try await Phone()
        let (device, recorder) = try await phone.launch(finishing: false)
        phone.user.script(confirmations: [false])
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        phone.user.script(cancelsSignIn: true)
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.waitUntilIdle()
        #expect(recorder.events.isEmpty)
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try Journal(path: phone.journal).records().isEmpty)
    }

    @Test func `without a network a purchase call fails, and is not charged later`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        phone.transport.set(offline: true)
        guard case .unreachable = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        #expect(phone.user.sheets.isEmpty)
        phone.transport.set(offline: false)
        device.wake()
        await device.waitUntilIdle()
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a connection lost after the confirmation makes the purchase pending, and its transaction is an update`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: false)
        let updates = device.updates()
        phone.transport.fail(DeviceEndpoints.purchase, .lostReply)
        guard case .pending = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await phone.retry(device)
        let update = try await next(updates, device)
        #expect(update.productId == credits)
        #expect(try await phone.charges.map(\.transactionID) == [update.transactionId])
    }

    @Test func `an Ask to Buy approval is an update, and a refusal is none`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        let (device, recorder) = try await phone.launch(finishing: false)
        let updates = device.updates()
        for approves in [false, true] {
            guard case .pending = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
            try await phone.decideApprovals(approve: approves)
            device.wake()
            await device.waitUntilIdle()
            #expect(recorder.events == (approves ? [.updated(.purchased, credits.rawValue)] : []))
        }
        #expect(try await next(updates, device).productId == credits)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `declining to ask a parent cancels the purchase call`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        let (device, recorder) = try await phone.launch(finishing: false)
        phone.user.script(permissions: [false])
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.waitUntilIdle()
        #expect(recorder.events.isEmpty)
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(try await phone.pendingApprovals.isEmpty)
    }

    @Test func `the first listener receives unfinished transactions once, without those that a purchase call returned`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia, SampleProduct.moonlight, finishing: false)
        let (device, _) = try await phone.launch(finishing: false)
        guard case .purchased = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        let updates = device.updates()
        let late = device.updates()
        await device.waitUntilIdle()
        device.paymentQueue.add(Phone.payment(SampleProduct.credits10))
        await device.waitUntilIdle()
        var received: [ProductID] = []
        for await signed in updates {
            received.append(try await device.session.verify(signed).payload.productId)
            if received.count == 3 { break }
        }
        #expect(received == [SampleProduct.sepia, SampleProduct.moonlight, SampleProduct.credits10])
        #expect(try await next(late, device).productId == SampleProduct.credits10)
    }

    @Test func `a purchase call that was killed before the confirmation is discarded at the next launch`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        await device.waitUntilIdle()
        var paymentRequest = request(credits)
        paymentRequest.isPurchaseCall = true
        try Journal(path: phone.journal).write([.persist(PaymentQueueRecord(paymentRequest, sequence: 1))])
        let (next, recorder) = try await phone.launch(finishing: true)
        #expect(recorder.events.isEmpty)
        #expect(next.paymentQueue.transactions.isEmpty)
        #expect(phone.user.sheets.isEmpty)
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a refund is an update on every device of the account`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        guard case .purchased(let sepia) = await device.purchase(request(SampleProduct.sepia)) else { return #expect(Bool(false)) }
        await device.finish(sepia.payload.transactionId)
        let tablet = try await Phone(account: phone.account)
        let (second, _) = try await tablet.launch(finishing: true)
        try await second.signIn(phone.credentials)
        await second.waitUntilIdle()
        #expect(await second.purchases().count == 1)
        try await phone.harness.refund(sepia.payload.transactionId)
        for each in [device, second] {
            let updates = each.updates()
            each.wake()
            await each.waitUntilIdle()
            let update = try await next(updates, each)
            #expect(update.transactionId == sepia.payload.transactionId)
            #expect(update.revocationDate != nil)
        }
    }

    @Test func `the stored transaction history is available without a network`() async throws {
        let phone = try await Phone()
        try await phone.buy(SampleProduct.sepia)
        let (device, _) = try await phone.launch(finishing: false)
        #expect(await device.purchases().count == 1)
        phone.transport.set(offline: true)
        let (next, _) = try await phone.launch(finishing: false)
        #expect(await next.purchases().count == 1)
        #expect(await next.purchases().allSatisfy(\.isFinished))
    }
}
