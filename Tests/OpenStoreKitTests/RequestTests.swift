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
import WireClient

@testable import OpenStoreKit
@testable import StoreKit

@Suite struct RequestTests {
    @Test func `more products than the store takes at once are asked for page by page`() async throws {
        let phone = try await TestPhone()
        let unknown = (0..<1_500).map { "unknown\($0)" }
        let answer = await RequestDelegate.products(Set(unknown + [MonkeyShopProduct.sepia.rawValue]), on: try phone.launch())
        #expect(answer.products == [MonkeyShopProduct.sepia.rawValue])
        #expect(answer.invalid == unknown.sorted())
        #expect(phone.line.count(DeviceEndpoints.products) == 2)
    }

    @Test func `products that are sold come with their prices, the others as invalid`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let answer = await RequestDelegate.products(
            [MonkeyShopProduct.sepia.rawValue, MonkeyShopProduct.winterHat.rawValue, ""], on: device)
        #expect(answer.products == [MonkeyShopProduct.sepia.rawValue])
        #expect(answer.invalid == ["", MonkeyShopProduct.winterHat.rawValue])
        #expect(answer.calls == ["received", "finished"])
        #expect(phone.user.signInPrompts == 0)
    }

    @Test func `a store that is away is an error that can be shown`() async throws {
        let phone = try await TestPhone()
        phone.line.set(away: true)
        let answer = await RequestDelegate.products(["a"], on: try phone.launch())
        #expect(answer.calls == ["failed"])
        #expect(answer.error?.domain == SKErrorDomain)
        #expect(answer.error?.code == 0)
        #expect(answer.error?.localizedDescription == "Cannot connect to the App Store.")
    }

    @Test func `nobody hears of a cancelled request`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let (held, holding) = AsyncStream.makeStream(of: Never.self)
        phone.line.set { _ in
            for await _ in held {}
            return true
        }
        let delegate = RequestDelegate()
        let request = Device.$current.withValue(device) { SKProductsRequest(productIdentifiers: ["a"]) }
        request.delegate = delegate
        request.start()
        await phone.line.untilCalls(exceed: 0)
        request.cancel()
        holding.finish()
        await device.callbacks.drain()
        await device.settle()
        #expect(delegate.answer.calls.isEmpty)
        #expect(request.delegate == nil)
    }

    @Test func `without a device a request fails and does not trap`() async {
        let delegate = RequestDelegate()
        let request = Device.$borrows.withValue(false) { SKProductsRequest(productIdentifiers: ["a"]) }
        request.delegate = delegate
        request.start()
        await CallbackQueue.withoutDevice.drain()
        #expect(delegate.answer.error?.code == SKError.Code.clientInvalid.rawValue)
    }

    @Test func `a refresh writes a receipt that is vouched for, and makes no transaction`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let witness = Witness()
        device.paymentQueue.add(witness)
        #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path()))
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(await RequestDelegate.refresh(on: device).calls == ["finished"])
        #expect(phone.user.signInPrompts == 1)
        let receipt = try await verified(device, phone)
        #expect(receipt.payload.expirationDate == nil)
        await device.settle()
        #expect(witness.notes.isEmpty)
        #expect(try await phone.charges.isEmpty)
    }

    @Test func `the property for an expired receipt brings one`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        #expect(await RequestDelegate.refresh([SKReceiptPropertyIsExpired: true], on: device).calls == ["finished"])
        let receipt = try await verified(device, phone)
        let expires = try #require(receipt.payload.expirationDate)
        #expect(expires < SystemWallClock().now)
    }

    @Test func `cancelling the sign-in of a refresh is code 2`() async throws {
        let phone = try await TestPhone()
        phone.user.script(cancelsSignIn: true)
        let answer = await RequestDelegate.refresh(on: try phone.launch())
        #expect(answer.error?.code == 2)
    }

    @Test func `a receipt that the store did not sign for this device is not kept`() async throws {
        let phone = try await TestPhone()
        let device = try phone.launch()
        let other = try await TestPhone()
        let otherDevice = try other.launch()
        #expect(await RequestDelegate.refresh(on: otherDevice).calls == ["finished"])
        let foreign = try Data(contentsOf: otherDevice.receiptURL)
        let forged = try Data(TestAuthority.other.receipts.issue(.sample(device: device.id)))
        for receipt in [foreign, forged, Data(), Data([0x30, 0x80])] {
            phone.line.answer(DeviceEndpoints.receipt) { _ in .success(ReceiptReply(receipt: receipt)) }
            #expect(await RequestDelegate.refresh(on: device).calls == ["failed"])
            #expect(!FileManager.default.fileExists(atPath: device.receiptURL.path()))
        }
    }

    private func verified(_ device: Device, _ phone: TestPhone) async throws -> VerifiedReceipt {
        let verifier = ReceiptVerifier(
            roots: try .apple(and: phone.harness.store.rootsPEM, in: [.sandbox]),
            BundleCheck(MonkeyShopSample.bundleID), EnvironmentCheck([.sandbox]), DeviceHashCheck(device.id)
        )
        return try await verifier.verify([UInt8](Data(contentsOf: device.receiptURL)))
    }
}
