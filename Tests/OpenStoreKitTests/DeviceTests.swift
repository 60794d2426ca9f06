import Foundation
import GRDB
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct DeviceTests {
    private let credits = SampleProduct.credits5

    @Test func `two devices in one process are isolated`() async throws {
        let phones = [try await Phone(), try await Phone()]
        let devices = try phones.map { try $0.launch() }
        #expect(devices[0].id != devices[1].id)
        let recorders = phones.map { _ in RecordingObserver(finishes: true) }
        for (device, recorder) in zip(devices, recorders) {
            Device.$current.withValue(device) {
                SKPaymentQueue.default().add(recorder)
                SKPaymentQueue.default().add(Phone.payment(credits))
            }
        }
        try await devices[1].change { $0.restrictsPayments = true }
        for device in devices { await device.waitUntilIdle() }
        #expect(await Device.$current.withValue(devices[0]) { await Task { SKPaymentQueue.canMakePayments() }.value })
        #expect(!Device.$current.withValue(devices[1]) { SKPaymentQueue.canMakePayments() })
        for (phone, recorder) in zip(phones, recorders) {
            #expect(recorder.identifiers == (try await phone.charges.map(\.transactionID.rawValue)))
        }
    }

    @Test func `a device keeps its identity, settings and account across a relaunch`() async throws {
        let phone = try await Phone()
        let first = try await phone.launchSignedIn()
        try await first.change { $0.restrictsPayments = true }
        let second = try phone.launch()
        #expect(second.id == first.id)
        #expect(second.account == phone.account)
        #expect(!second.canMakePayments)
        let attributes = try FileManager.default.attributesOfItem(atPath: phone.folder.file("identity.json").path(percentEncoded: false))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a released device releases its engine and closes its files`() async throws {
        let phone = try await Phone()
        weak var device: Device?
        weak var engine: PaymentEngine?
        weak var database: DatabaseQueue?
        do {
            let launched = try phone.launch()
            device = launched
            engine = launched.engine
            let recorder = RecordingObserver(finishes: true)
            launched.paymentQueue.add(recorder)
            launched.paymentQueue.add(Phone.payment(credits))
            // A retry is scheduled when the device is released.
            phone.transport.fail(DeviceEndpoints.finish, .offline)
            await launched.waitUntilIdle()
            let journal = await launched.engine.request { $0.queue.journal }
            database = journal.database
            #expect(recorder.events.last == .removed(credits.rawValue))
        }
        #expect(device == nil)
        try await eventually { engine == nil && database == nil }
    }

    @Test func `a device that is released while a sheet is open releases its engine`() async throws {
        let phone = try await Phone()
        let user = UnresponsiveUser()
        var configuration = phone.configuration
        configuration.interface = user
        weak var engine: PaymentEngine?
        do {
            let launched = try Device(configuration, transport: phone.transport, logger: .silent)
            engine = launched.engine
            let recorder = RecordingObserver()
            launched.paymentQueue.add(recorder)
            launched.paymentQueue.add(Phone.payment(credits))
            await user.waitForSheet()
            withExtendedLifetime(recorder) {}
        }
        try await eventually { engine == nil }
        #expect(try phone.records().map(\.state) == [.queued])
    }

    @Test func `concurrent calls of waitUntilIdle return, also after the engine is closed`() async throws {
        let phone = try await Phone()
        let (device, _) = try await phone.launch(finishing: true)
        device.paymentQueue.add(Phone.payment(credits))
        async let one: Void = device.waitUntilIdle()
        async let two: Void = device.waitUntilIdle()
        async let three: Void = device.waitUntilIdle()
        _ = await (one, two, three)
        device.engine.close()
        await device.waitUntilIdle()
        #expect(try await phone.charges.count == 1)
    }

    @Test func `transactions that an untrusted store signed are refused and not delivered`() async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        let forged = try TestAuthority.other.signedData.sign(TransactionPayload.sample())
        phone.transport.answer(DeviceEndpoints.purchase) { _ in .success(.purchased(signedTransaction: forged)) }
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in
            .success(UnfinishedReply(transactions: [UnfinishedTransaction(payment: nil, signedTransaction: forged)], declined: []))
        }
        phone.transport.answer(DeviceEndpoints.restore) { _ in
            .success(RestoreReply(transactions: [UnfinishedTransaction(payment: nil, signedTransaction: forged, restoredFrom: forged)]))
        }
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        device.paymentQueue.restoreCompletedTransactions()
        await device.waitUntilIdle()
        #expect(recorder.identifiers.isEmpty)
        #expect(recorder.errors.map(\.code) == [0])
    }

    @Test func `a reply with another product's transaction fails the payment and keeps that transaction`() async throws {
        let phone = try await Phone()
        let other = RecordingObserver()
        do {
            let device = try phone.launch()
            device.paymentQueue.add(other)
            device.paymentQueue.add(Phone.payment(SampleProduct.sepia))
            await device.waitUntilIdle()
        }
        let sepia = try #require(try phone.records().first)
        guard case .purchased(let recorded) = sepia.state else { return #expect(Bool(false)) }
        phone.transport.answer(DeviceEndpoints.purchase) { _ in .success(.purchased(signedTransaction: recorded.signed)) }
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [0])
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
    func `invalid product data from the store does not trap`(_ product: StoreProduct) async throws {
        let phone = try await Phone()
        phone.transport.answer(DeviceEndpoints.products) { _ in .success(ProductsReply(products: [product], invalidProductIDs: [""])) }
        let described = SKProduct(product)
        _ = (described.price, described.priceLocale, described.priceLocale.currency, described.localizedTitle)
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits, quantity: 10))
        await device.waitUntilIdle()
        // The confirmation sheet shows the requested product only.
        #expect(phone.user.sheets.allSatisfy { $0.productID == credits })
        #expect(device.paymentQueue.transactions.isEmpty)
    }

    @Test(arguments: [Int.min, -1, 22, Int.max])
    func `an error code that StoreKit does not define keeps the store's number`(_ code: Int) async throws {
        let phone = try await Phone()
        phone.transport.answer(DeviceEndpoints.purchase) { _ in .success(.refused(code: code, message: "no")) }
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        device.paymentQueue.add(Phone.payment(credits))
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [code])
    }
}
