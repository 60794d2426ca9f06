import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import LocalAppStore

/// Tests of the verification of signed data step by step, which the Requests section of the store's page shows.
@Suite struct ExplanationTests {
    @Test func `signed data of this store is verified, with each step and the content of a receipt`() async throws {
        try await StoreHarness.run { harness in
            let phone = try await harness.signIn()
            _ = try await phone.buy(.book)
            let receipt = try await phone.receipt()
            let signed = try await phone.signedPurchase(.credits)
            let verified = try await harness.call(ExplanationController.endpoint, SignedText(text: signed.compact))
            #expect(verified.explanation.result == .verified && verified.receipt == nil)
            #expect(verified.explanation.steps.contains { $0.name == "signature" && $0.status == .passed })
            let content = try await harness.call(ExplanationController.endpoint, SignedText(text: receipt.base64EncodedString()))
            #expect(content.explanation.result == .verified && content.explanation.steps.count > 3)
            #expect(content.receipt?.inApp.map(\.productID) == [.book])
        }
    }

    @Test func `changed data and data of another store are refused, with the step that failed last`() async throws {
        try await StoreHarness.run { harness in
            let signed = try await harness.signIn().signedPurchase(.book).compact
            let changed = String(signed.dropLast(8)) + "AAAAAAAA"
            let refused = try await harness.call(ExplanationController.endpoint, SignedText(text: changed)).explanation
            #expect(refused.result == .refused && refused.steps.last?.status == .failed && refused.message != nil)
            try await StoreHarness.run(makeAuthority: { _ in TestAuthority.other.authority }) { other in
                let foreign = try await other.call(ExplanationController.endpoint, SignedText(text: signed)).explanation
                #expect(foreign.result == .refused && foreign.reason == "untrusted_root")
            }
        }
    }

    @Test(arguments: ["", "not base64!", "=="])
    func `a text that is neither a JWS nor base64 is an invalid value`(_ text: String) async throws {
        try await StoreHarness.run { harness in
            await #expect(throws: (any Error).self) {
                _ = try await harness.call(ExplanationController.endpoint, SignedText(text: text))
            }
        }
    }

    @Test(arguments: ["a.b.c", "..", "TUlJ", "AAAA", "eyJhIjoxfQ=="])
    func `damaged data is refused with a reason`(_ text: String) async throws {
        try await StoreHarness.run { harness in
            let explanation = try await harness.call(ExplanationController.endpoint, SignedText(text: text)).explanation
            #expect(explanation.result == .refused && explanation.reason != nil && explanation.steps.last?.status == .failed)
        }
    }
}
