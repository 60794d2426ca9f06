import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreKit
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

@testable import OpenStoreKit

@Suite struct PurchaseTests {
    private let sepia = SampleProduct.sepia
    private let credits = SampleProduct.credits5

    /// Launches an app, adds a payment, and returns the observer.
    private func buy(_ payment: SKPayment, on phone: Phone, finishing: Bool = true) async throws -> RecordingObserver {
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: finishing)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(payment)
        await device.waitUntilIdle()
        return recorder
    }

    @Test func `a payment is charged once, delivered, and removed from the queue when it is finished`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits, quantity: 3))
        await device.waitUntilIdle()
        #expect(recorder.events == [.updated(.purchasing, credits.rawValue), .updated(.purchased, credits.rawValue)])
        let transaction = try #require(device.paymentQueue.transactions.first)
        #expect(transaction.transactionIdentifier == recorder.identifiers.first)
        #expect(transaction.payment.quantity == 3)
        #expect(transaction.transactionDate != nil)
        #expect(try await phone.charges.map(\.amount.milliunits) == [2970])
        #expect(phone.user.sheets.map(\.total) == ["$2.97"])
        #expect(try Data(contentsOf: device.receiptURL).count > 1000)

        device.paymentQueue.finishTransaction(transaction)
        device.paymentQueue.finishTransaction(transaction)
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(recorder.events.last == .removed(credits.rawValue))
        #expect(recorder.events.count == 3)
        #expect(phone.transport.count(DeviceEndpoints.finish) == 1)
        #expect(try Journal(path: phone.journal).records().isEmpty)
    }

    @Test func `a retry after a lost reply receives the same transaction, charged once`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        await device.waitUntilIdle()
        phone.transport.fail(DeviceEndpoints.purchase, .lostReply, .lostReply)
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.events == [.updated(.purchasing, credits.rawValue)])
        let charged = try await phone.charges
        #expect(charged.count == 1)
        for _ in 1...2 { await phone.retry(device) }
        #expect(phone.transport.count(DeviceEndpoints.purchase) == 3)
        #expect(recorder.identifiers == charged.map(\.transactionID.rawValue))
        #expect(try await phone.charges == charged)
    }

    @Test func `a duplicated request is one purchase`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .duplicated)
        let recorder = try await buy(Phone.payment(credits), on: phone)
        #expect(recorder.identifiers.count == 1)
        #expect(try await phone.charges.count == 1)
    }

    @Test func `payments are sent in the order in which they were added`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .offline)
        let (device, _) = try await phone.launch(finishing: true)
        let products = [SampleProduct.credits10, sepia, credits, SampleProduct.book]
        for product in products { device.paymentQueue.add(Phone.payment(product)) }
        await device.waitUntilIdle()
        await phone.retry(device)
        #expect(try await phone.charges.map(\.productID) == products)
    }

    @Test func `offline payments are kept, and charged once when the network returns`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        for _ in 1...4 { await phone.retry(device) }
        #expect(try await phone.charges.isEmpty)
        #expect(recorder.identifiers.isEmpty)
        // Half of 1, 2, 4 and 8 seconds: the retry policy of this test adds no jitter.
        #expect(phone.clock.sleepDurations.prefix(4).map(\.components.seconds) == [0, 1, 2, 4])
        phone.transport.set(offline: false)
        await phone.retry(device)
        #expect(recorder.events.last == .removed(credits.rawValue))
        #expect(try await phone.charges.count == 1)
    }

    @Test func `credentials that were entered while the store was unreachable are not requested again`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.signIn, .offline, .refused(status: 503), .offline)
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        for _ in 1...3 { await phone.retry(device) }
        #expect(recorder.identifiers.count == 1)
        #expect(phone.user.signInPrompts == 1)
    }

    @Test func `airplane mode sends no purchase, and leaving it retries at once`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        try await device.change { $0.airplaneMode = true }
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.purchase) == 0)
        try await device.change { $0.airplaneMode = false }
        await device.waitUntilIdle()
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `canceling the confirmation fails with code 2 and no charge`() async throws {
        let phone = try await Phone()
        phone.user.script(confirmations: [false])
        let recorder = try await buy(Phone.payment(credits), on: phone)
        #expect(recorder.errors.map { [$0.domain: $0.code] } == [[SKErrorDomain: 2]])
        #expect(phone.transport.count(DeviceEndpoints.purchase) == 0)
    }

    @Test func `canceling the sign-in fails with code 2`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        let recorder = try await buy(Phone.payment(credits), on: phone)
        #expect(recorder.errors.map(\.code) == [2])
    }

    @Test func `a restricted device refuses payments with code 4 and still loads products`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        try await device.change { $0.restrictsPayments = true }
        #expect(!Device.$current.withValue(device) { SKPaymentQueue.canMakePayments() })
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [4])
        #expect(phone.user.sheets.isEmpty)
        let answer = await RequestDelegate.products([credits.rawValue], on: device)
        #expect(answer.products == [credits.rawValue])
    }

    @Test(arguments: [
        (SampleProduct.credits5, 0, 3), (SampleProduct.credits5, 11, 3), (SampleProduct.credits5, -1, 3),
        (SampleProduct.credits5, Int.max, 3), (SampleProduct.winterHat, 1, 5), ("", 1, 5),
        (ProductID(String(repeating: "p", count: 100_000)), 1, 5), (SampleProduct.sepia, 2, 3),
    ])
    func `an invalid payment is refused with its error code`(_ product: ProductID, _ quantity: Int, _ code: Int) async throws {
        let phone = try await Phone()
        let recorder = try await buy(Phone.payment(product, quantity: quantity), on: phone)
        #expect(recorder.errors.map(\.domain) == [SKErrorDomain])
        #expect(recorder.errors.map(\.code) == [code])
        #expect(recorder.events.last == .removed(product.rawValue))
        #expect(try await phone.charges.isEmpty)
    }

    @Test(arguments: [
        "\(SampleProduct.credits5)\n", "\(SampleProduct.credits5)\u{0}", "\u{80}", String(repeating: "p", count: 2_000),
    ])
    func `a malformed product identifier is reported as invalid, and the other products are loaded`(_ identifier: String)
        async throws
    {
        let device = try await Phone().launch()
        let answer = await RequestDelegate.products([credits.rawValue, identifier], on: device)
        #expect(answer.products == [credits.rawValue])
        #expect(answer.invalid == [identifier])
    }

    @Test func `a refused product request fails its payment and does not block the queue`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.products, .refused(status: 400))
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        device.paymentQueue.add(Phone.payment(sepia))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [0])
        #expect(try await phone.charges.map(\.productID) == [sepia])
    }

    @Test func `a wrong password fails with the store's error code, without a retry`() async throws {
        let phone = try await Phone(password: "wrong")
        let recorder = try await buy(Phone.payment(credits), on: phone)
        #expect(recorder.errors.map { [$0.domain: $0.code] } == [["SSServerErrorDomain": 5020]])
        #expect(phone.user.signInPrompts == 1)
        #expect(phone.clock.sleepDurations.isEmpty)
    }

    @Test(arguments: [500, 503, 429])
    func `a temporary server error keeps the payment in the queue`(_ status: Int) async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .refused(status: status))
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.errors.isEmpty && recorder.identifiers.isEmpty)
        await phone.retry(device)
        #expect(recorder.events.last == .updated(.purchased, credits.rawValue))
        #expect(try await phone.charges.count == 1)
    }

    @Test(arguments: [400, 404, 409])
    func `a client error from the store fails the payment`(_ status: Int) async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .refused(status: status))
        let recorder = try await buy(Phone.payment(credits), on: phone)
        #expect(recorder.errors.map(\.code) == [0])
    }

    @Test func `an expired session prompts one more sign-in`() async throws {
        let phone = try await Phone()
        phone.transport.fail(DeviceEndpoints.purchase, .refused(status: 401))
        let device = try await phone.launchSignedIn()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(phone.user.signInPrompts == 1)
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `a store that refuses every session prompts one sign-in only`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        phone.transport.answer(DeviceEndpoints.purchase) { _ in
            .failure(.refused(status: 401, WireError(code: "account.signed-out", message: "Sign in first.")))
        }
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(phone.user.signInPrompts == 1)
        #expect(recorder.errors.map(\.code) == [5020])
    }

    @Test func `a restore and a payment share one sign-in prompt`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.restoreCompletedTransactions()
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(phone.user.signInPrompts == 1)
        #expect(recorder.restoreResults == [.restoreFinished])
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `a finish while signed out is sent after the next sign-in`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        phone.transport.fail(DeviceEndpoints.finish, .refused(status: 401))
        device.paymentQueue.finishTransaction(try #require(device.paymentQueue.transactions.first))
        await device.waitUntilIdle()
        #expect(device.account == nil)
        #expect(device.paymentQueue.transactions.isEmpty)
        try await device.signIn(phone.credentials)
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.finish) == 2)
        #expect(try Journal(path: phone.journal).records().isEmpty)
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `a username that is not a UUID is accepted`() async throws {
        let phone = try await Phone()
        let recorder = try await buy(Phone.payment(credits, username: "jane"), on: phone)
        #expect(recorder.errors.isEmpty)
        #expect(recorder.identifiers.count == 1)
    }

    @Test func `changing a payment after it was added has no effect`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        let payment = SKMutablePayment()
        payment.productIdentifier = credits.rawValue
        device.paymentQueue.add(payment)
        payment.productIdentifier = sepia.rawValue
        payment.quantity = 9
        await device.waitUntilIdle()
        #expect(try await phone.charges.map(\.productID) == [credits])
    }

    @Test func `an Ask to Buy account is asked for permission, and canceling fails the payment`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        phone.user.script(permissions: [false, true])
        let refused = try await buy(Phone.payment(sepia), on: phone)
        #expect(refused.errors.map { [$0.domain: $0.code] } == [[SKErrorDomain: 2]])
        #expect(try await phone.pendingApprovals.isEmpty)

        phone.transport.fail(DeviceEndpoints.purchase, .duplicated, .lostReply)
        let recorder = RecordingObserver()
        let device = try phone.launch()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(sepia))
        await device.waitUntilIdle()
        // The reply to the permission request was lost; the sheet is not shown again.
        await phone.retry(device)
        #expect(recorder.events.last == .updated(.deferred, sepia.rawValue))
        #expect(phone.user.permissions == phone.user.sheets && phone.user.permissions.count == 2)
        #expect(phone.user.permissions.last?.permissionText == "Ask for permission to buy Sepia filter for $1.99?")
        #expect(try await phone.pendingApprovals.map(\.productID) == [sepia])
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `an app that was killed while the permission sheet was open shows it again, without a charge`() async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        do {
            let device = try await phone.launchSignedIn()
            await device.waitUntilIdle()
        }
        // The journal's record of a confirmed payment, with or without a reply from the store.
        let request = PaymentRequest(id: PaymentID(UUID()), productID: sepia, quantity: 1, username: nil, product: nil)
        let record = PaymentQueueRecord(request, sequence: 1, state: .confirmed, account: phone.account)
        try Journal(path: phone.journal).write([.persist(record)])
        phone.user.script(permissions: [false])
        let (device, recorder) = try await phone.launch(finishing: true)
        #expect(phone.user.sheets.isEmpty && phone.user.permissions.map(\.productID) == [sepia])
        #expect(recorder.errors.map(\.code) == [2])
        #expect(device.paymentQueue.transactions.isEmpty)
        #expect(try await phone.charges.isEmpty)
        #expect(try await phone.pendingApprovals.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a parent's decision is delivered at a later launch`(_ approves: Bool) async throws {
        let phone = try await Phone(askToBuyEnabled: true)
        let first = try await buy(Phone.payment(sepia), on: phone)
        #expect(first.events.last == .updated(.deferred, sepia.rawValue))
        let second = RecordingObserver(finishes: true)
        do {
            let device = try phone.launch()
            device.paymentQueue.add(second)
            await device.waitUntilIdle()
            #expect(second.events == [.updated(.deferred, sepia.rawValue)])
        }
        try await phone.decideApprovals(approve: approves)
        let (device, third) = try await phone.launch(finishing: true)
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
