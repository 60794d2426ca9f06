import Foundation
import LocalAppStore
import MonkeyShop
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct RequestTests {
    @Test func `a request for more products than the store accepts at once is split into pages`() async throws {
        let phone = try await Phone()
        let unknown = (0..<1_500).map { "unknown\($0)" }
        let answer = await RequestDelegate.products(Set(unknown + [MonkeyShopProduct.sepia.rawValue]), on: try phone.launch())
        #expect(answer.products == [MonkeyShopProduct.sepia.rawValue])
        #expect(answer.invalid == unknown.sorted())
        #expect(phone.transport.count(DeviceEndpoints.products) == 2)
    }

    @Test func `a products request returns sold products and reports the others as invalid`() async throws {
        let phone = try await Phone()
        let device = try phone.launch()
        let answer = await RequestDelegate.products(
            [MonkeyShopProduct.sepia.rawValue, MonkeyShopProduct.winterHat.rawValue, ""], on: device)
        #expect(answer.products == [MonkeyShopProduct.sepia.rawValue])
        #expect(answer.invalid == ["", MonkeyShopProduct.winterHat.rawValue])
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
            BundleCheck(MonkeyShopSample.bundleID), EnvironmentCheck([.sandbox]), DeviceHashCheck(device.id)
        )
        return try await verifier.verify([UInt8](Data(contentsOf: device.receiptURL)))
    }
}
