import Foundation
import HTTPTypes
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@testable import PurchaseServer

@Suite struct ExplanationTests {
    private func explain(_ shop: Shop, receipt: [UInt8]) async throws -> Answer {
        try await shop.call(ExplanationController.endpoint, ExplanationRequest(receipt: Data(receipt).base64EncodedString()))
    }

    @Test func `a good receipt is explained step by step, in the library's words`() async throws {
        try await Shop.open { shop async throws in
            let receipt = try TestAuthority.shared.receipts.issue(.sample([.bookSale]))
            let reply = try await explain(shop, receipt: receipt).value(VerificationExplanation.self)
            #expect(reply.result == .verified)
            #expect(reply.reason == nil)
            let verifier = ReceiptVerifier(
                roots: try TestAuthority.shared.roots, BundleCheck(.test), EnvironmentCheck([.sandbox]), ExpiryCheck(clock: shop.clock)
            )
            #expect(await reply.steps == verifier.explain(receipt).explanation.steps)
        }
    }

    @Test func `a refused receipt names reason and place, and the step that failed comes last`() async throws {
        try await Shop.open { shop async throws in
            let foreign = try TestAuthority.shared.receipts.issue(.sample([.bookSale], bundle: "com.example.other"))
            let reply = try await explain(shop, receipt: foreign).value(VerificationExplanation.self)
            #expect(reply.result == .refused)
            #expect(reply.reason == "foreign_bundle")
            #expect(reply.place == "receipt.2")
            #expect(reply.steps.last?.status == .failed)
            #expect(reply.steps.dropLast().allSatisfy { $0.status != .failed })
        }
    }

    @Test func `signed data of any kind is explained, and nothing is recorded`() async throws {
        try await Shop.open { shop async throws in
            let signed = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale).compact
            let reply = try await shop.call(ExplanationController.endpoint, ExplanationRequest(signed: signed)).value(
                VerificationExplanation.self)
            #expect(reply.result == .verified)
            #expect(!reply.steps.isEmpty)
            #expect(try await shop.balance() == 0)
            let strange = try TestAuthority.other.signedData.sign(TransactionPayload.creditSale).compact
            let other = try await shop.call(ExplanationController.endpoint, ExplanationRequest(signed: strange)).value(
                VerificationExplanation.self)
            #expect(other.reason == "untrusted_root")
        }
    }

    @Test(arguments: [
        (ExplanationRequest(), "explanation.ambiguous"), (ExplanationRequest(receipt: "MA==", signed: "a.b.c"), "explanation.ambiguous"),
        (ExplanationRequest(receipt: "not base64!"), "explanation.not-base64"),
    ])
    func `a request without exactly one thing to explain is refused with a code`(_ request: ExplanationRequest, _ code: String) async throws
    {
        try await Shop.open { shop async throws in
            let answer = try await shop.call(ExplanationController.endpoint, request)
            #expect(answer.status == .badRequest)
            #expect(answer.code == code)
        }
    }
}
