import Foundation
import PurchaseModel
import StoreKit
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit

/// The device that StoreKit's static members use when no task binds one.
@Suite struct CurrentDeviceTests {
    private final class CallerLog: Sendable {
        private let devices = Mutex<[String: Set<String>]>([:])

        func note(_ caller: String) {
            devices.withLock { _ = $0[caller, default: []].insert(Device.active?.id.rawValue ?? "none") }
        }

        var all: [String: Set<String>] { devices.withLock { $0 } }
    }

    /// An app that uses the current device only.
    private final class App: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, SKProductsRequestDelegate, Sendable {
        let callers = CallerLog()
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            callers.note("observer")
            for transaction in transactions where transaction.transactionState == .purchased {
                SKPaymentQueue.default().finishTransaction(transaction)
            }
        }

        func paymentQueue(
            _ queue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
        ) -> Bool {
            callers.note("delegate")
            return true
        }

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
            callers.note("request")
            for product in response.products { SKPaymentQueue.default().add(SKPayment(product: product)) }
        }

        func requestDidFinish(_ request: SKRequest) {
            ended.yield()
        }
    }

    @Test func `in observers and delegates the current device is the device that calls them`() async throws {
        let phones = [try await Phone(), try await Phone()]
        var running: [(device: Device, app: App, request: SKProductsRequest)] = []
        for phone in phones {
            let (device, app) = (try phone.launch(), App())
            device.paymentQueue.add(app)
            device.paymentQueue.delegate = app
            try await device.signIn(phone.credentials)
            let request = Device.$current.withValue(device) { SKProductsRequest(productIdentifiers: [SampleProduct.credits5.rawValue]) }
            request.delegate = app
            running.append((device, app, request))
        }
        for (_, _, request) in running { request.start() }
        for (phone, (device, app, _)) in zip(phones, running) {
            await app.ends.first { true }
            await device.waitUntilIdle()
            #expect(app.callers.all == ["request": [device.id.rawValue], "observer": [device.id.rawValue]])
            #expect(try await phone.charges.count == 1)
            #expect(device.paymentQueue.transactions.isEmpty)
        }
    }

    @Test func `a user gesture around a device's creation does not apply to later requests`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        var configuration = phone.configuration
        configuration.signInPromptLimit = 1
        let device = try Device.withUserGesture { [configuration] in try Device(configuration, transport: phone.transport) }
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        for _ in 1...2 {
            device.paymentQueue.restoreCompletedTransactions()
            await device.waitUntilIdle()
        }
        #expect(phone.user.signInPrompts == 1)
        #expect(recorder.restoreResults.count == 2)
    }
}
