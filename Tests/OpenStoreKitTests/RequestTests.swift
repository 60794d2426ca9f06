import Foundation
import LocalAppStore
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Synchronization
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct RequestTests {
    @Test func `a request for more products than the store accepts at once is split into pages`() async throws {
        let phone = try await Phone()
        let unknown = (0..<1_500).map { "unknown\($0)" }
        let answer = await RequestDelegate.products(Set(unknown + [SampleProduct.sepia.rawValue]), on: try phone.launch())
        #expect(answer.products == [SampleProduct.sepia.rawValue])
        #expect(answer.invalid == unknown.sorted())
        #expect(phone.transport.count(DeviceEndpoints.products) == 2)
    }

    @Test func `a products request returns sold products and reports the others as invalid`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let answer = await RequestDelegate.products(
            [SampleProduct.sepia.rawValue, SampleProduct.winterHat.rawValue, ""], on: device)
        #expect(answer.products == [SampleProduct.sepia.rawValue])
        #expect(answer.invalid == ["", SampleProduct.winterHat.rawValue])
        #expect(answer.calls == ["received", "finished"])
        #expect(phone.user.signInPrompts == 0)
    }

    @Test func `an unreachable store fails the request with a localized error`() async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        let answer = await RequestDelegate.products(["a"], on: try phone.launch())
        #expect(answer.calls == ["failed"])
        #expect(answer.error?.domain == SKErrorDomain)
        #expect(answer.error?.code == 0)
        #expect(answer.error?.localizedDescription == "Cannot connect to the App Store.")
    }

    @Test func `a canceled request calls no delegate`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.transport.set { _ in
            for await _ in held {}
            return true
        }
        let delegate = RequestDelegate()
        let request = Device.$current.withValue(device) { SKProductsRequest(productIdentifiers: ["a"]) }
        request.delegate = delegate
        request.start()
        await phone.transport.waitForCalls(exceeding: 0)
        request.cancel()
        holding.finish()
        await device.callbacks.drain()
        await device.waitUntilIdle()
        #expect(delegate.answer.calls.isEmpty)
        #expect(request.delegate == nil)
    }

    /// A delegate on the main actor, as in most apps, that counts its calls.
    @MainActor
    private final class MainDelegate: NSObject, @MainActor SKProductsRequestDelegate {
        var calls = 0

        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { calls += 1 }
        func requestDidFinish(_ request: SKRequest) { calls += 1 }
        func request(_ request: SKRequest, didFailWithError error: any Error) { calls += 1 }
    }

    /// Requests that keep the delegate themselves, and signal when the callback queue reads it.
    private enum Observed {
        final class Products: SKProductsRequest, @unchecked Sendable {
            let isRead = DispatchSemaphore(value: 0)
            private var own: (any SKProductsRequestDelegate)?

            override var delegate: (any SKProductsRequestDelegate)? {
                get {
                    isRead.signal()
                    return own
                }
                set { own = newValue }
            }
        }

        final class Receipt: SKReceiptRefreshRequest, @unchecked Sendable {
            let isRead = DispatchSemaphore(value: 0)
            private var own: (any SKRequestDelegate)?

            override var delegate: (any SKRequestDelegate)? {
                get {
                    isRead.signal()
                    return own
                }
                set { own = newValue }
            }
        }
    }

    @MainActor @Test(arguments: [false, true])
    func `a request that is canceled on the main thread calls no delegate, also if its failure waits for the thread`(
        _ isForProducts: Bool
    ) async throws {
        let phone = try await Phone()
        phone.transport.set(offline: true)
        phone.user.script(cancelsSignIn: true)
        let device = try phone.launch()
        let delegate = MainDelegate()
        // The failure reaches the callback queue, and waits there for the main thread, which the closure occupies.
        Device.$current.withValue(device) {
            if isForProducts {
                let request = Observed.Products(productIdentifiers: ["a"])
                request.delegate = delegate
                request.start()
                request.isRead.wait()
                request.cancel()
            } else {
                let request = Observed.Receipt()
                request.delegate = delegate
                request.start()
                request.isRead.wait()
                request.cancel()
            }
        }
        await device.callbacks.drain()
        #expect(delegate.calls == 0)
    }

    @Test func `a canceled request calls no delegate that is set afterwards, and a later start calls it`() async {
        let delegate = RequestDelegate()
        let request = Device.$allowsSharedTestDevice.withValue(false) { SKProductsRequest(productIdentifiers: ["a"]) }
        let (gate, isDone) = (DispatchSemaphore(value: 0), CallbackQueue.withoutDevice)
        isDone.submit { gate.wait() }
        request.delegate = delegate
        request.start()
        request.cancel()
        request.delegate = delegate
        gate.signal()
        await isDone.drain()
        #expect(delegate.answer.calls.isEmpty)
        request.start()
        await isDone.drain()
        #expect(delegate.answer.calls == ["failed"])
    }

    @MainActor @Test func `an observer on the main actor is not called if the app removes it while the call waits for the main thread`()
        async
    {
        let delegate = MainDelegate()
        let listener = Listener<any SKRequestDelegate>(delegate) { delegate }
        let questions = Mutex(0)
        // The app wants the call when it is announced, and no more when the main thread is free.
        let isCalled = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let answer: Void? = listener.call(
                    if: {
                        questions.withLock { count in
                            count += 1
                            return count == 1
                        }
                    }, { _ in })
                continuation.resume(returning: answer != nil)
            }
        }
        #expect(!isCalled && questions.withLock { $0 } == 2)
    }

    @Test func `a request without a device fails and does not trap`() async {
        let delegate = RequestDelegate()
        let request = Device.$allowsSharedTestDevice.withValue(false) { SKProductsRequest(productIdentifiers: ["a"]) }
        request.delegate = delegate
        request.start()
        await CallbackQueue.withoutDevice.drain()
        #expect(delegate.answer.error?.code == SKError.Code.clientInvalid.rawValue)
    }

    @Test func `a refresh writes a verified receipt and makes no transaction`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let recorder = RecordingObserver()
        device.paymentQueue.add(recorder)
        #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path()))
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(phone.user.signInPrompts == 1)
        let receipt = try await verified(device, phone)
        #expect(receipt.payload.expirationDate == nil)
        await device.waitUntilIdle()
        #expect(recorder.events.isEmpty)
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `a refresh with the property for an expired receipt returns an expired receipt`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        #expect(await RequestDelegate.refresh([SKReceiptPropertyIsExpired: true], on: device).calls == ["finished"])
        let receipt = try await verified(device, phone)
        let expires = try #require(receipt.payload.expirationDate)
        #expect(expires < SystemWallClock().now)
    }

    @Test func `canceling the sign-in of a refresh fails with code 2`() async throws {
        let phone = try await Phone()
        phone.user.script(cancelsSignIn: true)
        let answer = await RequestDelegate.refresh(on: try phone.launch())
        #expect(answer.error?.code == 2)
    }

    @Test func `a receipt for another device, or with an untrusted signature, is not stored`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let other = try await Phone()
        let otherDevice = try other.launch()
        #expect(await RequestDelegate.refresh(on: otherDevice).calls == ["finished"])
        let foreign = try Data(contentsOf: otherDevice.receiptURL)
        let forged = try Data(TestAuthority.other.receipts.issue(.sample(device: device.id)))
        for receipt in [foreign, forged, Data(), Data([0x30, 0x80])] {
            phone.transport.answer(DeviceEndpoints.receipt) { _ in .success(ReceiptReply(receipt: receipt)) }
            #expect(await RequestDelegate.refresh(on: device).calls == ["failed"])
            #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path()))
        }
    }

    private func verified(_ device: Device, _ phone: Phone) async throws -> VerifiedReceipt {
        let verifier = ReceiptVerifier(
            roots: try .apple(and: phone.harness.store.rootsPEM, in: [.sandbox]),
            BundleCheck(BundleID.test), EnvironmentCheck([.sandbox]), DeviceHashCheck(device.id)
        )
        return try await verifier.verify([UInt8](Data(contentsOf: device.receiptURL)))
    }
}
