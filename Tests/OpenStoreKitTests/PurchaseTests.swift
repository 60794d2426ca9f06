import Foundation
import MonkeyShop
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreKit
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit

@Suite struct PurchaseTests {
    private let sepia = MonkeyShopProduct.sepia
    private let credits = MonkeyShopProduct.credits5

    /// Launches, buys one thing and returns what was heard.
    private func buy(_ payment: SKPayment, on phone: TestPhone, finishing: Bool = true) async throws -> Witness {
        let device = try phone.launch()
        let witness = Witness(finishes: finishing)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(payment)
        await device.settle()
        return witness
    }

    @Test func `a payment is charged once, announced, and leaves the queue when it is finished`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits, quantity: 3))
        await device.settle()
        #expect(witness.notes == [.updated(.purchasing, credits.rawValue), .updated(.purchased, credits.rawValue)])
        let transaction = try #require(device.paymentQueue.transactions.first)
        #expect(transaction.transactionIdentifier == witness.identifiers.first)
        #expect(transaction.payment.quantity == 3)
        #expect(transaction.transactionDate != nil)
        #expect(try await phone.charges.map(\.amount.milliunits) == [2970])
        #expect(phone.user.sheets.map(\.total) == ["$2.97"])
        #expect(try Data(contentsOf: device.receiptURL).count > 1000)

        device.paymentQueue.finishTransaction(transaction)
        device.paymentQueue.finishTransaction(transaction)
        await device.settle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(witness.notes.last == .removed(credits.rawValue))
        #expect(witness.notes.count == 3)
        #expect(phone.line.count(DeviceEndpoints.finish) == 1)
        #expect(try Journal(path: phone.journal).records().isEmpty)
    }

    @Test func `a lost reply is answered by the repeat with the same transaction, charged once`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        await device.settle()
        phone.line.fail(DeviceEndpoints.purchase, .lostReply, .lostReply)
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.notes == [.updated(.purchasing, credits.rawValue)])
        let charged = try await phone.charges
        #expect(charged.count == 1)
        for _ in 1...2 { await phone.retry(device) }
        #expect(phone.line.count(DeviceEndpoints.purchase) == 3)
        #expect(witness.identifiers == charged.map(\.transaction.rawValue))
        #expect(try await phone.charges == charged)
    }

    @Test func `a doubled call is one purchase`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .doubled)
        let witness = try await buy(TestPhone.payment(credits), on: phone)
        #expect(witness.identifiers.count == 1)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `payments reach the store in the order in which they were added`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .away)
        let (device, _) = try await phone.launch(finishing: true)
        let products = [MonkeyShopProduct.credits10, sepia, credits, MonkeyShopProduct.book]
        for product in products { device.paymentQueue.add(TestPhone.payment(product)) }
        await device.settle()
        await phone.retry(device)
        #expect(try await phone.charges.map(\.productID) == products)
    }

    @Test func `while the network is away nothing is sent and all is kept, and once it is back it goes through once`() async throws {
        let phone = try await TestPhone()
        phone.line.set(away: true)
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        for _ in 1...4 { await phone.retry(device) }
        #expect(try await phone.charges.isEmpty)
        #expect(witness.identifiers.isEmpty)
        // Half of 1, 2, 4, 8 seconds: the policy of this test adds nothing by chance.
        #expect(phone.clock.slept.prefix(4).map(\.components.seconds) == [0, 1, 2, 4])
        phone.line.set(away: false)
        await phone.retry(device)
        #expect(witness.notes.last == .removed(credits.rawValue))
        #expect(try await phone.charges.count == 1)
    }

    @Test func `whoever signs in while the store can't be reached is not asked again`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.signIn, .away, .refused(status: 503), .away)
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        for _ in 1...3 { await phone.retry(device) }
        #expect(witness.identifiers.count == 1)
        #expect(phone.user.signInPrompts == 1)
    }

    @Test func `airplane mode sends nothing, and leaving it tries again at once`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        try device.change { $0.airplaneMode = true }
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(phone.line.count(DeviceEndpoints.purchase) == 0)
        try device.change { $0.airplaneMode = false }
        await device.settle()
        #expect(witness.identifiers.count == 1)
    }

    @Test func `cancelling is code 2 without a charge`() async throws {
        let phone = try await TestPhone()
        phone.user.script(confirmations: [false])
        let witness = try await buy(TestPhone.payment(credits), on: phone)
        #expect(witness.errors.map { [$0.domain: $0.code] } == [[SKErrorDomain: 2]])
        #expect(phone.line.count(DeviceEndpoints.purchase) == 0)
    }

    @Test func `cancelling the sign-in is code 2`() async throws {
        let phone = try await TestPhone()
        phone.user.script(cancelsSignIn: true)
        let witness = try await buy(TestPhone.payment(credits), on: phone)
        #expect(witness.errors.map(\.code) == [2])
    }

    @Test func `a restricted device refuses payments with code 4 and still asks for prices`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try device.change { $0.restrictsPayments = true }
        #expect(!Device.$current.withValue(device) { SKPaymentQueue.canMakePayments() })
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.errors.map(\.code) == [4])
        #expect(phone.user.sheets.isEmpty)
        let answer = await RequestDelegate.products([credits.rawValue], on: device)
        #expect(answer.products == [credits.rawValue])
    }

    @Test(arguments: [
        (MonkeyShopProduct.credits5, 0, 3), (MonkeyShopProduct.credits5, 11, 3), (MonkeyShopProduct.credits5, -1, 3),
        (MonkeyShopProduct.credits5, Int.max, 3), (MonkeyShopProduct.winterHat, 1, 5), ("", 1, 5),
        (ProductID(String(repeating: "p", count: 100_000)), 1, 5), (MonkeyShopProduct.sepia, 2, 3),
    ])
    func `a payment that can't be is refused with its code`(_ product: ProductID, _ quantity: Int, _ code: Int) async throws {
        let phone = try await TestPhone()
        let witness = try await buy(TestPhone.payment(product, quantity: quantity), on: phone)
        #expect(witness.errors.map(\.domain) == [SKErrorDomain])
        #expect(witness.errors.map(\.code) == [code])
        #expect(witness.notes.last == .removed(product.rawValue))
        #expect(try await phone.charges.isEmpty)
    }

    @Test(arguments: [
        "\(MonkeyShopProduct.credits5)\n", "\(MonkeyShopProduct.credits5)\u{0}", "\u{80}", String(repeating: "p", count: 2_000),
    ])
    func `an identifier that no product can have is invalid, and does not fail the request for the others`(_ identifier: String)
        async throws
    {
        let device = try await TestPhone().launch()
        let answer = await RequestDelegate.products([credits.rawValue, identifier], on: device)
        #expect(answer.products == [credits.rawValue])
        #expect(answer.invalid == [identifier])
    }

    @Test func `a refused question for a price fails the payment instead of holding up the queue`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.products, .refused(status: 400))
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        device.paymentQueue.add(TestPhone.payment(sepia))
        await device.settle()
        #expect(witness.errors.map(\.code) == [0])
        #expect(try await phone.charges.map(\.productID) == [sepia])
    }

    @Test func `a wrong password fails with the store's own code, and is not tried again`() async throws {
        let phone = try await TestPhone(password: "wrong")
        let witness = try await buy(TestPhone.payment(credits), on: phone)
        #expect(witness.errors.map { [$0.domain: $0.code] } == [["SSServerErrorDomain": 5020]])
        #expect(phone.user.signInPrompts == 1)
        #expect(phone.clock.slept.isEmpty)
    }

    @Test(arguments: [500, 503, 429])
    func `a store that is unwell keeps the payment waiting`(_ status: Int) async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .refused(status: status))
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.errors.isEmpty && witness.identifiers.isEmpty)
        await phone.retry(device)
        #expect(witness.notes.last == .updated(.purchased, credits.rawValue))
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: [400, 404, 409])
    func `a store that refuses fails the payment`(_ status: Int) async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .refused(status: status))
        let witness = try await buy(TestPhone.payment(credits), on: phone)
        #expect(witness.errors.map(\.code) == [0])
    }

    @Test func `a session that has ended costs one more sign-in`() async throws {
        let phone = try await TestPhone()
        phone.line.fail(DeviceEndpoints.purchase, .refused(status: 401))
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(phone.user.signInPrompts == 1)
        #expect(witness.identifiers.count == 1)
    }

    @Test func `a store that forgets every session does not ask for ever`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        phone.line.answer(DeviceEndpoints.purchase) { _ in
            .failure(.refused(status: 401, WireError(code: "account.signed-out", message: "Sign in first.")))
        }
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(phone.user.signInPrompts == 1)
        #expect(witness.errors.map(\.code) == [5020])
    }

    @Test func `two who need a sign-in at once share one prompt`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(phone.user.signInPrompts == 1)
        #expect(witness.restoreEndings == [.restoreFinished])
        #expect(witness.identifiers.count == 1)
    }

    @Test func `a finish while signed out is told after the next sign-in`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        phone.line.fail(DeviceEndpoints.finish, .refused(status: 401))
        device.paymentQueue.finishTransaction(try #require(device.paymentQueue.transactions.first))
        await device.settle()
        #expect(device.account == nil)
        #expect(device.paymentQueue.transactions.isEmpty)
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        await device.settle()
        #expect(phone.line.count(DeviceEndpoints.finish) == 2)
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(witness.identifiers.count == 1)
    }

    @Test func `a username that is no UUID is the app's own business`() async throws {
        let phone = try await TestPhone()
        let witness = try await buy(TestPhone.payment(credits, username: "jane"), on: phone)
        #expect(witness.errors.isEmpty)
        #expect(witness.identifiers.count == 1)
    }

    @Test func `changing a payment after it was added has no effect`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        let payment = SKMutablePayment()
        payment.productIdentifier = credits.rawValue
        device.paymentQueue.add(payment)
        payment.productIdentifier = sepia.rawValue
        payment.quantity = 9
        await device.settle()
        #expect(try await phone.charges.map(\.productID) == [credits])
    }

    @Test func `a child is asked whether to ask a parent, and who cancels has cancelled`() async throws {
        let phone = try await TestPhone(asksToBuy: true)
        phone.user.script(permissions: [false, true])
        let refused = try await buy(TestPhone.payment(sepia), on: phone)
        #expect(refused.errors.map { [$0.domain: $0.code] } == [[SKErrorDomain: 2]])
        #expect(try await phone.harness.waiting(of: phone.account).isEmpty)

        phone.line.fail(DeviceEndpoints.purchase, .doubled, .lostReply)
        let witness = Witness()
        let device = try phone.launch()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(sepia))
        await device.settle()
        // The answer to who has said yes was lost; the question is not asked again.
        await phone.retry(device)
        #expect(witness.notes.last == .updated(.deferred, sepia.rawValue))
        #expect(phone.user.permissions == phone.user.sheets && phone.user.permissions.count == 2)
        #expect(phone.user.permissions.last?.permissionText == "Ask for permission to buy Sepia filter for $1.99?")
        #expect(try await phone.harness.waiting(of: phone.account) == [sepia])
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `who was killed while being asked is asked again, and is not charged`() async throws {
        let phone = try await TestPhone(asksToBuy: true)
        do {
            let device = try phone.launch()
            try await device.signIn(Credentials(account: phone.account, password: "ladder"))
            await device.settle()
        }
        // What the journal holds of a payment that was confirmed, whether the store has answered or not.
        let request = PaymentRequest(id: PaymentID(UUID()), productID: sepia, quantity: 1, username: nil, product: nil)
        let record = request.record(sequence: 1).moved(to: .confirmed).owned(by: phone.account)
        try Journal(path: phone.journal).write([.persist(record)])
        phone.user.script(permissions: [false])
        let (device, witness) = try await phone.launch(finishing: true)
        #expect(phone.user.sheets.isEmpty && phone.user.permissions.map(\.productID) == [sepia])
        #expect(witness.errors.map(\.code) == [2])
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try await phone.charges.isEmpty)
        #expect(try await phone.harness.waiting(of: phone.account).isEmpty)
    }

    @Test(arguments: [true, false])
    func `a parent's decision arrives at a later launch`(_ approves: Bool) async throws {
        let phone = try await TestPhone(asksToBuy: true)
        let first = try await buy(TestPhone.payment(sepia), on: phone)
        #expect(first.notes.last == .updated(.deferred, sepia.rawValue))
        let second = Witness(finishes: true)
        do {
            let device = try phone.launch()
            device.paymentQueue.add(second)
            await device.settle()
            #expect(second.notes == [.updated(.deferred, sepia.rawValue)])
        }
        try await phone.harness.decide(phone.account, approve: approves)
        let third = Witness(finishes: true)
        let device = try phone.launch()
        device.paymentQueue.add(third)
        await device.settle()
        if approves {
            #expect(third.identifiers.count == 1)
            #expect(try await phone.charges.count == 1)
        } else {
            #expect(third.errors.map(\.code) == [2])
            #expect(try await phone.charges.isEmpty)
        }
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(phone.user.sheets.count == 1)
    }
}
