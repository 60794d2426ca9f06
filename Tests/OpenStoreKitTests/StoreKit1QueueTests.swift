import Foundation
import PurchaseModel
import StoreProtocol
import StoreTestSupport
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct StoreKit1QueueTests {
    private let sepia = SampleProduct.sepia

    @Test func `a queue without a device fails payments and restores, and the error names the setting`() async {
        let queue = SKPaymentQueue()
        let observer = QueueObserver()
        queue.add(observer)
        queue.add(Phone.payment(sepia))
        queue.restoreCompletedTransactions()
        await queue.callbacks.drain()
        #expect(observer.callbacks == ["purchasing", "failed", "restore failed 1"])
        let error = queue.transactions.first?.error as? SKError
        #expect(error?.code == .clientInvalid)
        #expect(error?.localizedDescription.contains("OPENSTOREKIT_STORE_URL") == true)
        for transaction in queue.transactions { queue.finishTransaction(transaction) }
        await queue.callbacks.drain()
        #expect(observer.callbacks.last == "removed 1")
        #expect(queue.transactions.isEmpty && queue.storefront == nil)
    }

    @Test func `a payment with request data fails with code 10, and nothing is charged`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver(finishes: true)
        device.paymentQueue.add(recorder)
        let payment = SKMutablePayment()
        payment.productIdentifier = sepia.rawValue
        payment.requestData = Data([1])
        device.paymentQueue.add(payment)
        await device.waitUntilIdle()
        #expect(recorder.errors.map(\.code) == [10])
        #expect(recorder.events.last == .removed(sepia.rawValue))
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a transaction shows the payment as the app added it`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        let payment = SKMutablePayment()
        payment.productIdentifier = SampleProduct.credits5.rawValue
        payment.quantity = 2
        payment.applicationUsername = "jane"
        payment.simulatesAskToBuyInSandbox = false
        device.paymentQueue.add(payment)
        await device.waitUntilIdle()
        #expect(device.paymentQueue.transactions.first?.payment == payment)
        #expect(device.paymentQueue.storefront?.countryCode == "USA")
    }

    @Test func `observers receive revocations and storefront changes`() async {
        let queue = SKPaymentQueue()
        let observer = QueueObserver()
        queue.add(observer)
        queue.receive(.revoked([sepia]))
        queue.receive(.storefrontChanged(.unitedStates))
        await queue.callbacks.drain()
        #expect(observer.callbacks == ["revoked [\"\(sepia)\"]", "storefront"])
    }

    @Test(arguments: [true, false])
    func `a promoted purchase is offered to observers until one accepts it`(_ wants: Bool) async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        let observers = [QueueObserver(wantsPromotion: wants), QueueObserver()]
        for observer in observers { device.paymentQueue.add(observer) }
        let promotion = PromotedPurchase(id: 1, productID: sepia, offerID: nil)
        device.paymentQueue.receive(.promoted(PendingDelivery(value: promotion, deliveryID: DeliveryID(name: "1", account: phone.account))))
        await device.waitUntilIdle()
        #expect(observers[0].callbacks.first == "promoted \(sepia) Sepia filter")
        #expect(observers[1].callbacks.contains { $0.hasPrefix("promoted") } == !wants)
        #expect(try await phone.charges.map(\.productID) == (wants ? [sepia] : []))
    }

    @Test(arguments: [true, false])
    func `the delegate decides when the price consent sheet is shown`(_ showsConsent: Bool) async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        let delegate = QueueObserver(showsConsent: showsConsent)
        device.paymentQueue.delegate = delegate
        phone.user.script(consents: [nil])
        let message = StoreMessage(id: "1", reason: .priceIncreaseConsent, productID: sepia, originalTransactionID: TransactionID("1"))
        device.paymentQueue.receive(.message(PendingDelivery(value: message, deliveryID: DeliveryID(name: "1", account: phone.account))))
        await device.waitUntilIdle()
        #expect(delegate.callbacks == ["consent"])
        #expect(phone.user.shown.count == (showsConsent ? 1 : 0))
        device.paymentQueue.showPriceConsentIfNeeded()
        await device.waitUntilIdle()
        guard case .priceConsent(let sheet)? = phone.user.shown.first else { throw CancellationError() }
        #expect(sheet.title == "Sepia filter" && phone.user.shown.count == 1)
    }

    @Test(arguments: [true, false])
    func `the delegate decides whether a payment continues in another storefront`(_ continues: Bool) async throws {
        let queue = SKPaymentQueue()
        let record = PaymentQueueRecord(PaymentRequest(id: "p", productID: sepia, quantity: 1, username: nil, product: nil), sequence: 1)
        queue.receive(.updated([record]))
        #expect(await queue.shouldContinue(record.id, in: .unitedStates))
        let delegate = QueueObserver(continues: continues)
        queue.delegate = delegate
        #expect(await queue.shouldContinue(record.id, in: .unitedStates) == continues)
        #expect(delegate.callbacks == ["continue in USA"])
    }

    @Test(arguments: [true, false])
    func `a payment that was added in another storefront continues, or fails with code 5`(_ continues: Bool) async throws {
        let phone = try await Phone()
        let device = try await phone.launchSignedIn()
        let observer = QueueObserver(continues: continues)
        device.paymentQueue.delegate = observer
        device.paymentQueue.add(observer)
        await device.waitUntilIdle()
        phone.transport.set(offline: true)
        device.paymentQueue.add(Phone.payment(sepia))
        await device.waitUntilIdle()
        phone.transport.answer(DeviceEndpoints.unfinished) { _ in
            var reply = UnfinishedReply(transactions: [], declined: [])
            reply.storefront = PurchaseModel.Storefront(countryCode: "DEU", id: "143443", currency: "EUR", locale: "de_DE")
            return .success(reply)
        }
        phone.transport.set(offline: false)
        device.wake()
        await device.waitUntilIdle()
        #expect(observer.callbacks == ["purchasing", "storefront", "continue in DEU", continues ? "purchased" : "failed"])
        #expect(device.paymentQueue.storefront?.countryCode == "DEU")
        #expect((device.paymentQueue.transactions.first?.error as? SKError)?.code == (continues ? nil : .storeProductNotAvailable))
        #expect(try await phone.charges.count == (continues ? 1 : 0))
    }

    @Test func `an entered offer code is sent once, and a canceled sheet sends none`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let observer = QueueObserver()
        device.paymentQueue.add(observer)
        phone.user.script(offerCodes: [nil, "NO SUCH CODE"])
        device.paymentQueue.presentCodeRedemptionSheet()
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.redeem) == 0)
        device.paymentQueue.presentCodeRedemptionSheet()
        await device.waitUntilIdle()
        #expect(phone.transport.count(DeviceEndpoints.redeem) == 1)
        #expect(phone.user.shown.count { $0 == .offerCode } == 2)
        #expect(phone.user.shown.contains { if case .offerCodeRefused("NO SUCH CODE", _) = $0 { true } else { false } })
        #expect(observer.callbacks.isEmpty)
    }

    @Test func `transactions stay in sequence order through insertions and removals`() {
        var contents = QueueContents()
        func record(_ sequence: Int64) -> PaymentQueueRecord {
            let request = PaymentRequest(id: PaymentID("\(sequence)"), productID: sepia, quantity: 1, username: nil, product: nil)
            return PaymentQueueRecord(request, sequence: sequence)
        }
        for sequence: Int64 in [5, 1, 9, 3, 7] { _ = contents.update(record(sequence), payment: nil) }
        #expect(contents.all().map(\.sequence) == [1, 3, 5, 7, 9])
        let known = contents[PaymentID("3")]
        #expect(contents.update(record(3), payment: nil) === known)
        #expect(contents.remove([PaymentID("1")]).map(\.sequence) == [1])
        #expect(contents.remove([PaymentID("7")]).map(\.sequence) == [7])
        #expect(contents.remove([PaymentID("1"), PaymentID("9"), PaymentID("3")]).map(\.sequence) == [9, 3])
        #expect(contents.all().map(\.sequence) == [5])
        #expect(!contents.isEmpty && contents.remove([PaymentID("5")]).count == 1 && contents.isEmpty)
    }

    @Test func `ten thousand transactions are read and removed within five seconds`() {
        var contents = QueueContents()
        for sequence in 0..<Int64(10_000) {
            let request = PaymentRequest(id: PaymentID("\(sequence)"), productID: sepia, quantity: 1, username: nil, product: nil)
            _ = contents.update(PaymentQueueRecord(request, sequence: sequence), payment: nil)
        }
        let time = ContinuousClock().measure {
            for transaction in contents.all() {
                _ = contents.remove([transaction.id])
                _ = contents.isEmpty
            }
        }
        #expect(contents.isEmpty)
        #expect(time < .seconds(5))
    }
}
