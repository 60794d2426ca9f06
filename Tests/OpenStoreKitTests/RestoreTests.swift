import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

@Suite struct RestoreTests {
    /// A customer who has bought those products on another phone.
    private func customer(_ products: [ProductID]) async throws -> TestPhone {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        for product in products { device.paymentQueue.add(TestPhone.payment(product)) }
        await device.settle()
        return phone
    }

    @Test func `nothing to restore is an ending and nothing else`() async throws {
        let phone = try await customer([MonkeyShopProduct.credits5])
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes == [.restoreFinished])
    }

    @Test func `each restorable purchase comes as a new transaction with its original, and twice as new ones`() async throws {
        let products = [MonkeyShopProduct.sepia, MonkeyShopProduct.book, MonkeyShopProduct.magazine]
        let owner = try await customer(products + [MonkeyShopProduct.credits5])
        let bought = Set(try await owner.charges.map(\.transaction.rawValue))
        let phone = try await TestPhone(account: owner.account)
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes == products.map { .updated(.restored, $0.rawValue) } + [.restoreFinished])
        #expect(Set(witness.originals).isSubset(of: bought) && witness.originals.count == 3)
        #expect(bought.isDisjoint(with: witness.identifiers))
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(Set(witness.identifiers).count == 6)
        #expect(witness.restoreEndings.count == 2)
        #expect(device.paymentQueue.transactions.count == 6)
        for transaction in device.paymentQueue.transactions { device.paymentQueue.finishTransaction(transaction) }
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        // One receipt for each restore, and one for all that was finished after it; not one for each transaction.
        #expect(phone.line.count(DeviceEndpoints.receipt) <= 4)
    }

    @Test func `cancelling at the prompt is code 2, once`() async throws {
        let phone = try await TestPhone()
        phone.user.script(cancelsSignIn: true)
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes == [.restoreFailed(SKErrorDomain, 2)])
    }

    @Test func `a store that is away ends the restore, and what it had made comes later`() async throws {
        let owner = try await customer([MonkeyShopProduct.sepia])
        let phone = try await TestPhone(account: owner.account)
        phone.line.fail(DeviceEndpoints.restore, .lostReply)
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        // Launch and sign-in ask the store for what is unfinished, too; both are over before the restore begins.
        try await device.signIn(Credentials(account: owner.account, password: "ladder"))
        await device.settle()
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.notes == [.restoreFailed(SKErrorDomain, 0)])
        let next = Witness()
        let relaunched = try phone.launch()
        relaunched.paymentQueue.add(next)
        await relaunched.settle()
        #expect(next.notes == [.updated(.restored, MonkeyShopProduct.sepia.rawValue)])
    }

    @Test func `a session that has ended costs one more sign-in`() async throws {
        let phone = try await customer([MonkeyShopProduct.sepia])
        phone.line.fail(DeviceEndpoints.restore, .refused(status: 401))
        let prompts = phone.user.signInPrompts
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(phone.user.signInPrompts == prompts + 1)
        #expect(witness.notes == [.updated(.restored, MonkeyShopProduct.sepia.rawValue), .restoreFinished])
    }

    @Test func `the late refusal of an old session does not end the new one`() async throws {
        let phone = try await customer([MonkeyShopProduct.sepia])
        let prompts = phone.user.signInPrompts
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        await device.settle()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.line.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        phone.line.fail(DeviceEndpoints.restore, .refused(status: 401))
        let calls = phone.line.calls.count
        device.paymentQueue.restoreCompletedTransactions()
        await phone.line.untilCalls(exceed: calls)
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        holding.finish()
        await device.settle()
        #expect(phone.user.signInPrompts == prompts)
        #expect(witness.restoreEndings == [.restoreFinished])
        #expect(device.account == phone.account)
    }

    @Test func `a second wish joins the first, and a purchase meanwhile is not held up`() async throws {
        let phone = try await customer([MonkeyShopProduct.sepia])
        let device = try phone.launch()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.line.set { path in
            if path == DeviceEndpoints.restore.template { for await _ in held {} }
            return true
        }
        // The restore's answer waits until the purchase is there.
        let witness = Witness { note in
            if case .updated(.purchased, _) = note { holding.finish() }
        }
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: "somebody")
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.credits5))
        await device.settle()
        #expect(
            witness.notes.suffix(3) == [
                .updated(.purchased, MonkeyShopProduct.credits5.rawValue), .updated(.restored, MonkeyShopProduct.sepia.rawValue),
                .restoreFinished,
            ]
        )
        #expect(phone.line.count(DeviceEndpoints.restore) == 1)
    }

    @Test func `a restore for an empty name leaves nothing out`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia, username: "somebody"))
        await device.settle()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: "")
        await device.settle()
        #expect(witness.notes.prefix(2) == [.updated(.restored, MonkeyShopProduct.sepia.rawValue), .restoreFinished])
    }

    @Test(arguments: [UUID().uuidString, "jane", "Jane Doe"])
    func `a restore for a customer of the developer's brings only that customer's`(_ customer: String) async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia, username: customer))
        device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.moonlight, username: "somebody else"))
        await device.settle()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions(withApplicationUsername: customer)
        await device.settle()
        #expect(witness.notes.prefix(2) == [.updated(.restored, MonkeyShopProduct.sepia.rawValue), .restoreFinished])
    }
}
