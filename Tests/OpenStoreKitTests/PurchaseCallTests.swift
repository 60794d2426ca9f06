import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

/// What StoreKit 2 is made of: a call that returns once, and streams that tell of everything else.
@Suite(.timeLimit(.minutes(1))) struct PurchaseCallTests {
    private let credits = MonkeyShopProduct.credits5

    private func request(_ product: ProductID) -> PaymentRequest {
        PaymentRequest(id: PaymentID(UUID()), productID: product, quantity: 1, username: nil, product: nil)
    }

    private func next(_ stream: AsyncStream<SignedTransaction>, _ device: Device) async throws -> TransactionPayload {
        for await signed in stream { return try await device.session.verify(signed).payload }
        throw CancellationError()
    }

    @Test func `a purchase returns its transaction, which the queue shows until it is finished for both`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: false)
        guard case .purchased(let transaction) = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.settle()
        #expect(witness.notes == [.updated(.purchased, credits.rawValue)])
        #expect(device.paymentQueue.transactions.map(\.transactionIdentifier) == [transaction.payload.transactionId.rawValue])
        #expect(await device.unfinished() == [transaction.original])
        let history = await device.purchases().map(\.transaction)
        #expect(history.count == 1)
        for signed in history {
            #expect(try await device.session.verify(signed).payload.transactionId == transaction.payload.transactionId)
        }
        await device.finish(transaction.payload.transactionId)
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(witness.notes.last == .removed(credits.rawValue))
        #expect(await device.unfinished().isEmpty)
        #expect(try await phone.charges.count == 1)
        // The store knows of the finish: nothing comes back.
        #expect(try await phone.launch(finishing: false).witness.notes.isEmpty)
    }

    @Test func `a cancel is an outcome, and leaves nothing behind`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: false)
        phone.user.script(confirmations: [false])
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        phone.user.script(cancelsSignIn: true)
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.settle()
        #expect(witness.notes.isEmpty)
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try Journal(path: phone.journal).records().isEmpty)
    }

    @Test func `without a network nothing is confirmed and nothing is charged later`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        phone.line.set(away: true)
        guard case .unreachable = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        #expect(phone.user.sheets.isEmpty)
        phone.line.set(away: false)
        device.wake()
        await device.settle()
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a network that goes after the confirmation makes it pending, and it is told when it is back`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        let updates = device.updates()
        phone.line.fail(DeviceEndpoints.purchase, .lostReply)
        guard case .pending = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await phone.retry(device)
        let told = try await next(updates, device)
        #expect(told.productId == credits)
        #expect(try await phone.charges.map(\.transaction) == [told.transactionId])
    }

    @Test func `a parent's approval comes as an update, a refusal as nothing`() async throws {
        let phone = try await TestPhone(asksToBuy: true)
        let (device, witness) = try await phone.launch(finishing: false)
        let updates = device.updates()
        for approves in [false, true] {
            guard case .pending = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
            try await phone.harness.decide(phone.account, approve: approves)
            device.wake()
            await device.settle()
            #expect(witness.notes == (approves ? [.updated(.purchased, credits.rawValue)] : []))
        }
        #expect(try await next(updates, device).productId == credits)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `a child who does not ask a parent has cancelled the call`() async throws {
        let phone = try await TestPhone(asksToBuy: true)
        let (device, witness) = try await phone.launch(finishing: false)
        phone.user.script(permissions: [false])
        guard case .cancelled = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        await device.settle()
        #expect(witness.notes.isEmpty)
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(try await phone.harness.waiting(of: phone.account).isEmpty)
    }

    @Test func `the first who listens is told of everything unfinished once, and of nothing that a call returned`() async throws {
        let phone = try await TestPhone()
        try await phone.buy(MonkeyShopProduct.sepia, MonkeyShopProduct.moonlight, finishing: false)
        let (device, _) = try await phone.launch(finishing: false)
        guard case .purchased = await device.purchase(request(credits)) else { return #expect(Bool(false)) }
        let updates = device.updates()
        let late = device.updates()
        await device.settle()
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.credits10))
        await device.settle()
        var heard: [ProductID] = []
        for await signed in updates {
            heard.append(try await device.session.verify(signed).payload.productId)
            if heard.count == 3 { break }
        }
        #expect(heard == [MonkeyShopProduct.sepia, MonkeyShopProduct.moonlight, MonkeyShopProduct.credits10])
        #expect(try await next(late, device).productId == MonkeyShopProduct.credits10)
    }

    @Test func `a purchase call of a launch that was killed before the confirmation is over`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        await device.settle()
        var wish = request(credits)
        wish.isCall = true
        try Journal(path: phone.journal).write([.persist(wish.record(sequence: Int64(1)))])
        let (next, witness) = try await phone.launch(finishing: true)
        #expect(witness.notes.isEmpty)
        #expect(next.paymentQueue.transactions.isEmpty)
        #expect(phone.user.sheets.isEmpty)
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a refund is told to both APIs, on every device of the account`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        guard case .purchased(let sepia) = await device.purchase(request(MonkeyShopProduct.sepia)) else { return #expect(Bool(false)) }
        await device.finish(sepia.payload.transactionId)
        let tablet = try await TestPhone(account: phone.account)
        let (second, _) = try await tablet.launch(finishing: true)
        try await second.signIn(Credentials(account: phone.account, password: "ladder"))
        await second.settle()
        #expect(await second.purchases().count == 1)
        _ = try await phone.harness.control(
            ControlEndpoints.refund, IssueRefund(transaction: sepia.payload.transactionId))
        for each in [device, second] {
            let updates = each.updates()
            each.wake()
            await each.settle()
            let told = try await next(updates, each)
            #expect(told.transactionId == sepia.payload.transactionId)
            #expect(told.revocationDate != nil)
        }
    }

    @Test func `what is known can be read without a network`() async throws {
        let phone = try await TestPhone()
        try await phone.buy(MonkeyShopProduct.sepia)
        let (device, _) = try await phone.launch(finishing: false)
        #expect(await device.purchases().count == 1)
        phone.line.set(away: true)
        let (next, _) = try await phone.launch(finishing: false)
        #expect(await next.purchases().count == 1)
        #expect(await next.purchases().allSatisfy(\.isFinished))
    }
}
