import Foundation
import PurchaseModel
import PurchaseProtocol
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import PurchaseServer

/// Tests of proofs that the server verifies with a local App Store: identifiers and receipts of iOS 6.
@Suite struct AppStoreProofTests {
    private static func submit(_ proof: PurchaseProofInput, _ shop: ConnectedShop) async throws -> ProofResult {
        let request = SubmitPurchasesRequest(proofs: [proof])
        return try #require(try await shop.app.purchases.submit(request, for: .id(Shop.customer), isBackend: true).results.first)
    }

    @Test func `a transaction identifier is looked up, and without an answer of the App Store nothing is decided`() async throws {
        try await ConnectedShop.open { shop in
            let signed = try await shop.device.signedPurchase(.book, customer: nil)
            let id = try await shop.store.payloads([signed])[0].transactionId
            try await shop.setServerAPI(failing: true)
            let away = try await Self.submit(PurchaseProofInput(transactionID: id), shop)
            #expect(away.status == .indeterminate && away.code == "proof.indeterminate")
            #expect(try await !shop.entitlement(to: .book).isActive)
            try await shop.setServerAPI(failing: false)
            shop.clock.advance(seconds: 600)
            let found = try await Self.submit(PurchaseProofInput(transactionID: id), shop)
            #expect(found.purchases.map(\.transactionID) == [id] && found.purchases.first?.fulfillment == .complete)
            #expect(try await shop.entitlement(to: .book).isActive)
            for unknown in ["9999999999999999", "", "../x", "a b"] {
                let refused = try await Self.submit(PurchaseProofInput(transactionID: TransactionID(unknown)), shop)
                #expect(refused.status == .refused && refused.code == "proof.unknown-transaction", "\(unknown)")
            }
        }
    }

    @Test func `a receipt of iOS 6 is recorded after the App Store has confirmed it`() async throws {
        try await ConnectedShop.open { shop in
            let signed = try await shop.device.signedPurchase(.book, customer: nil)
            let id = try await shop.store.payloads([signed])[0].transactionId
            let request = TransactionReceiptRequest(transactionID: id)
            let receipt = try await shop.device.call(DeviceEndpoints.transactionReceipt, request).receipt
            _ = try await shop.store.call(ControlEndpoints.setFault, Fault(.verifyReceiptOutage))
            let away = try await Self.submit(PurchaseProofInput(transactionReceipt: receipt), shop)
            #expect(away.status == .indeterminate)
            #expect(try await !shop.entitlement(to: .book).isActive)
            _ = try await shop.store.call(ControlEndpoints.clearFaults, Empty())
            let confirmed = try await Self.submit(PurchaseProofInput(transactionReceipt: receipt), shop)
            #expect(confirmed.purchases.map(\.transactionID) == [id] && confirmed.purchases.first?.fulfillment == .complete)
            let entitlement = try await shop.entitlement(to: .book)
            #expect(entitlement.isActive && entitlement.environment == AppEnvironment.sandbox.rawValue)
            for damaged in [Data(), Data("{}".utf8), receipt.dropLast(40), receipt + receipt] {
                #expect(try await Self.submit(PurchaseProofInput(transactionReceipt: damaged), shop).status == .refused)
            }
        }
    }
}
