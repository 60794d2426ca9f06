import Foundation
import GRDB
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing
import WireClient

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct DeviceTests {
    private let credits = MonkeyShopProduct.credits5

    @Test func `two devices in one process never meet`() async throws {
        let phones = [try await TestPhone(), try await TestPhone()]
        let devices = try phones.map { try $0.launch() }
        #expect(devices[0].id != devices[1].id)
        let witnesses = phones.map { _ in Witness(finishes: true) }
        for (device, witness) in zip(devices, witnesses) {
            Device.$current.withValue(device) {
                SKPaymentQueue.default().add(witness)
                SKPaymentQueue.default().add(TestPhone.payment(credits))
            }
        }
        try devices[1].change { $0.restrictsPayments = true }
        for device in devices { await device.settle() }
        #expect(await Device.$current.withValue(devices[0]) { await Task { SKPaymentQueue.canMakePayments() }.value })
        #expect(!Device.$current.withValue(devices[1]) { SKPaymentQueue.canMakePayments() })
        for (phone, witness) in zip(phones, witnesses) {
            #expect(witness.identifiers == (try await phone.charges.map(\.transaction.rawValue)))
        }
    }

    @Test func `a device is the same at its next launch, and so are its settings and its account`() async throws {
        let phone = try await TestPhone()
        let first = try phone.launch()
        try await first.signIn(Credentials(account: phone.account, password: "ladder"))
        try first.change { $0.restrictsPayments = true }
        let second = try phone.launch()
        #expect(second.id == first.id)
        #expect(second.account == phone.account)
        #expect(!second.canMakePayments)
        let attributes = try FileManager.default.attributesOfItem(atPath: phone.folder.file("identity.json").path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a device that nobody holds ends its engine and closes its files`() async throws {
        let phone = try await TestPhone()
        weak var device: Device?
        weak var engine: PaymentEngine?
        weak var database: DatabaseQueue?
        do {
            let held = try phone.launch()
            device = held
            engine = held.engine
            let witness = Witness(finishes: true)
            held.paymentQueue.add(witness)
            held.paymentQueue.add(TestPhone.payment(credits))
            // A retry is waiting when it is let go.
            phone.line.fail(DeviceEndpoints.finish, .away)
            await held.settle()
            let journal = await held.engine.journal
            database = journal.database
            #expect(witness.notes.last == .removed(credits.rawValue))
        }
        #expect(device == nil)
        await expectGone { engine == nil && database == nil }
    }

    @Test func `a device that is let go while its user is being asked ends, too`() async throws {
        let phone = try await TestPhone()
        let user = PatientUser()
        var configuration = phone.configuration
        configuration.interface = user
        weak var engine: PaymentEngine?
        do {
            let held = try Device(configuration, transport: phone.line, logger: .silent)
            engine = held.engine
            let witness = Witness()
            held.paymentQueue.add(witness)
            held.paymentQueue.add(TestPhone.payment(credits))
            await user.untilAsked()
            withExtendedLifetime(witness) {}
        }
        await expectGone { engine == nil }
        #expect(try phone.records().map(\.state) == [.queued])
    }

    /// Waits for tasks that are ending to have ended.
    private func expectGone(_ isGone: () -> Bool) async {
        for _ in 1...100_000 where !isGone() { await Task.yield() }
        #expect(isGone())
    }

    @Test func `settling twice at once ends, and settling after the end as well`() async throws {
        let phone = try await TestPhone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(TestPhone.payment(credits))
        async let one: Void = device.settle()
        async let two: Void = device.settle()
        async let three: Void = device.settle()
        _ = await (one, two, three)
        device.engine.close()
        await device.settle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `what another store has signed is refused, and nobody is told of a purchase`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        try await device.signIn(Credentials(account: phone.account, password: "ladder"))
        let forged = try TestAuthority.other.signedData.sign(TransactionPayload.sample())
        phone.line.answer(DeviceEndpoints.purchase) { _ in .success(.purchased(transaction: forged)) }
        phone.line.answer(DeviceEndpoints.unfinished) { _ in
            .success(UnfinishedReply(transactions: [UnfinishedTransaction(payment: nil, transaction: forged)], declined: []))
        }
        phone.line.answer(DeviceEndpoints.restore) { _ in
            .success(RestoreReply(transactions: [UnfinishedTransaction(payment: nil, transaction: forged, restoredFrom: forged)]))
        }
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        device.paymentQueue.restoreCompletedTransactions()
        await device.settle()
        #expect(witness.identifiers.isEmpty)
        #expect(witness.errors.map(\.code) == [0])
    }

    @Test func `another purchase than the one that was asked for is no answer, but it is not lost`() async throws {
        let phone = try await TestPhone()
        let other = Witness()
        do {
            let device = try phone.launch()
            device.paymentQueue.add(other)
            device.paymentQueue.add(TestPhone.payment(MonkeyShopProduct.sepia))
            await device.settle()
        }
        let sepia = try #require(try phone.records().first)
        guard case .purchased(let recorded) = sepia.state else { return #expect(Bool(false)) }
        phone.line.answer(DeviceEndpoints.purchase) { _ in .success(.purchased(transaction: recorded.signed)) }
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.errors.map(\.code) == [0])
        #expect(device.paymentQueue.transactions.map(\.transactionState) == [.purchased, .failed])
    }

    @Test(arguments: [
        StoreProduct(
            id: "com.example.monkeyshop.credits5", type: .consumable, title: "", summary: "", price: Money(milliunits: .max, currency: ""),
            priceLocale: ""),
        StoreProduct(
            id: "com.example.monkeyshop.credits5", type: .consumable, title: "\u{0}\u{202e}",
            summary: String(repeating: "x", count: 100_000),
            price: Money(milliunits: .min, currency: "@\u{0}%"), priceLocale: "@=;%%\u{0}"
        ),
        StoreProduct(
            id: "another", type: .consumable, title: "", summary: "", price: Money(milliunits: 1, currency: "USD"), priceLocale: "en"),
    ])
    func `what a hostile store says of a product traps nowhere`(_ product: StoreProduct) async throws {
        let phone = try await TestPhone()
        phone.line.answer(DeviceEndpoints.products) { _ in .success(ProductsReply(products: [product], invalidProductIDs: [""])) }
        let described = SKProduct(product)
        _ = (described.price, described.priceLocale, described.priceLocale.currency, described.localizedTitle)
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits, quantity: 10))
        await device.settle()
        // Nobody confirms a sheet for something else.
        #expect(phone.user.sheets.allSatisfy { $0.productID == credits })
        #expect(device.paymentQueue.transactions.isEmpty)
    }

    @Test(arguments: [Int.min, -1, 22, Int.max])
    func `a code that StoreKit does not have stays the number that the store gave`(_ code: Int) async throws {
        let phone = try await TestPhone()
        phone.line.answer(DeviceEndpoints.purchase) { _ in .success(.refused(code: code, message: "no")) }
        let device = try phone.launch()
        let witness = Witness(finishes: true)
        device.paymentQueue.add(witness)
        device.paymentQueue.add(TestPhone.payment(credits))
        await device.settle()
        #expect(witness.errors.map(\.code) == [code])
    }
}
