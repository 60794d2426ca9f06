import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

@Suite struct ReceiptTests {
    private func verify(_ data: Data, _ harness: StoreHarness, _ check: any ReceiptCheck) async throws -> ReceiptPayload {
        let verifier = ReceiptVerifier(roots: harness.store.roots, check, BundleCheck(.test), EnvironmentCheck([.sandbox]))
        return try await verifier.verify([UInt8](data)).payload
    }

    @Test func `a receipt lists the purchases and has the device and the app version of the sign-in`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn(version: "2.1")
            let credits = try await phone.buy(.credits, 3)
            let magazine = try await phone.buy(.magazine)
            _ = try await phone.restore()
            let payload = try await verify(try await phone.receipt(), harness, DeviceHashCheck(.test))
            #expect(payload.appVersion == "2.1")
            #expect(payload.receiptType == "ProductionSandbox")
            #expect(payload.creationDate == .testStart)
            #expect(Set(payload.purchases.map(\.transactionID)) == [credits.transactionId, magazine.transactionId])
            let subscription = try #require(payload.purchases.first { $0.productID == .magazine })
            #expect(subscription.expiresDate == magazine.expiresDate)
            #expect(subscription.webOrderLineItemID == magazine.webOrderLineItemId)
            #expect(payload.purchases.first { $0.productID == .credits }?.quantity == 3)
        }
    }

    @Test func `a receipt is bound to its device`() async throws {
        try await StoreHarness.run { harness in
            let receipt = try await harness.signIn().receipt()
            await #expect(throws: VerificationFailure.refused(.foreignDevice, at: "receipt.5")) {
                try await verify(receipt, harness, DeviceHashCheck(.second))
            }
        }
    }

    @Test func `a finished consumable is removed from the receipt, and other products stay`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            for product in [ProductID.credits, .filter, .season, .news, .magazine] {
                try await phone.finish(try await phone.buy(product).transactionId)
            }
            let payload = try await verify(try await phone.receipt(), harness, DeviceHashCheck(.test))
            #expect(Set(payload.purchases.map(\.productID)) == [.filter, .season, .news, .magazine])
        }
    }

    @Test func `a refunded purchase stays in the receipt with the date of the refund`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            try await harness.refund(try await phone.buy(.book).transactionId)
            let payload = try await verify(try await phone.receipt(), harness, DeviceHashCheck(.test))
            #expect(payload.purchases.map(\.cancellationDate) == [.testStart])
        }
    }

    @Test func `a device can request an expired receipt`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            let expired = try await phone.receipt(expired: true)
            await #expect(throws: VerificationFailure.refused(.expired(Timestamp.testStart.adding(days: -1)), at: "receipt.21")) {
                try await verify(expired, harness, ExpiryCheck(clock: harness.clock))
            }
            _ = try await verify(try await phone.receipt(), harness, ExpiryCheck(clock: harness.clock))
        }
    }
}
