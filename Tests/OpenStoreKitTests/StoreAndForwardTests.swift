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

/// Hours without a network, replies that go astray, and phones that are wiped.
@Suite struct StoreAndForwardTests {
    private let products = [MonkeyShopProduct.credits5, MonkeyShopProduct.credits10, MonkeyShopProduct.sepia, MonkeyShopProduct.moonlight]

    @Test func `over hours without a network all is kept in order, and can be read at any time`() async throws {
        let store = try await StoreHarness.started()
        let phone = try await TestPhone(at: store)
        let (device, witness) = try await phone.launch(finishing: false)
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        await device.settle()
        phone.line.set(away: true)
        for product in products { device.paymentQueue.add(TestPhone.payment(product)) }
        await device.settle()
        for _ in 0..<12 {
            _ = try await store.control(ControlEndpoints.advance, AdvanceRequest(seconds: 3_600))
            await phone.retry(device)
            let queue = device.paymentQueue.transactions
            #expect(queue.map(\.payment.productIdentifier) == products.map(\.rawValue))
            #expect(queue.allSatisfy { $0.transactionState == .purchasing })
            #expect(await device.unfinished().isEmpty)
        }
        // From one second doubling to five minutes, half of it by chance.
        let waits = phone.clock.slept.suffix(12).map { $0.components.seconds * 1_000 + $0.components.attoseconds / 1_000_000_000_000_000 }
        #expect(waits == waits.sorted())
        #expect(waits.last == 150_000)
        phone.line.set(away: false)
        await phone.retry(device)
        #expect(try await phone.charges.map(\.productID) == products)
        #expect(witness.identifiers == (try await phone.charges.map(\.transaction.rawValue)))
    }

    @Test func `a reply to a phone that was wiped is not lost: the next phone that is set up can restore it`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: false)
        phone.line.fail(DeviceEndpoints.purchase, .lostReply)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        #expect(device.paymentQueue.transactions.map(\.transactionState) == [.purchasing])
        // The same customer with an empty folder.
        let wiped = try await TestPhone(account: phone.account)
        let (fresh, witness) = try await wiped.launch(finishing: true)
        fresh.paymentQueue.restoreCompletedTransactions()
        await fresh.settle()
        #expect(witness.originals == (try await phone.charges.map(\.transaction.rawValue)))
        #expect(await fresh.purchases().count == 1)
    }

    @Test func `doubled replies of every call are one of each`() async throws {
        let phone = try await TestPhone()
        let (device, witness) = try await phone.launch(finishing: true)
        for _ in 1...4 {
            phone.line.fail(DeviceEndpoints.purchase, .doubled)
            phone.line.fail(DeviceEndpoints.finish, .doubled)
            phone.line.fail(DeviceEndpoints.unfinished, .doubled)
            phone.line.fail(DeviceEndpoints.restore, .doubled)
            phone.line.fail(DeviceEndpoints.purchases, .doubled)
        }
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.identifiers.count == 2)
        #expect(witness.originals.count == 1)
        #expect(try await phone.charges.count == 1)
        #expect(device.paymentQueue.transactions.isEmpty)
    }

    @Test func `an interrupted purchase fails, and succeeds later, also in another launch`() async throws {
        let phone = try await TestPhone()
        let path = ["account": phone.account.rawValue]
        var wish = AccountRequest()
        wish.interruptsPurchases = true
        _ = try await phone.harness.control(ControlEndpoints.setAccount, wish, path)
        let (device, witness) = try await phone.launch(finishing: true)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
        await device.settle()
        #expect(witness.identifiers.isEmpty)
        #expect(witness.errors.count == 1)
        #expect(device.paymentQueue.transactions.isEmpty)
        for pending in try await phone.harness.control(ControlEndpoints.interruptions, Empty()).pending
        where pending.account == phone.account {
            _ = try await phone.harness.control(ControlEndpoints.resolve, Empty(), ["payment": pending.payment.rawValue])
        }
        let (next, heard) = try await phone.launch(finishing: false)
        #expect(heard.identifiers == (try await phone.charges.map(\.transaction.rawValue)))
        #expect(heard.identifiers.count == 1)
        #expect(await next.unfinished().count == 1)
    }

    @Test func `a device that listens hears of a renewal without asking`() async throws {
        let store = try await StoreHarness.started()
        let phone = try await TestPhone(at: store)
        let device = try Device(phone.configuration, retryPolicy: RetryPolicy { 0 }, logger: .silent)
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.magazine))
        await device.settle()
        let updates = device.updates()
        _ = try await store.control(ControlEndpoints.advance, AdvanceRequest(seconds: 32 * 86_400))
        for await signed in updates {
            let told = try await device.session.verify(signed).payload
            #expect(told.transactionReason == "RENEWAL")
            break
        }
    }
}
