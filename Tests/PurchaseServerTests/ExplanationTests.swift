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
        try await shop.call(ProofExplanationController.endpoint, ExplanationRequest(receipt: Data(receipt).base64EncodedString()))
    }

    @Test func `a valid receipt is explained with the steps of the library`() async throws {
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

    @Test func `a refused receipt has a reason and a place, and the failed step is last`() async throws {
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

    @Test func `signed data of any kind is explained and not recorded`() async throws {
        try await Shop.open { shop async throws in
            let signed = try TestAuthority.shared.signedData.sign(TransactionPayload.creditSale).compact
            let reply = try await shop.call(ProofExplanationController.endpoint, ExplanationRequest(signed: signed)).value(
                VerificationExplanation.self)
            #expect(reply.result == .verified)
            #expect(!reply.steps.isEmpty)
            #expect(try await shop.balance() == 0)
            let foreign = try TestAuthority.other.signedData.sign(TransactionPayload.creditSale).compact
            let other = try await shop.call(ProofExplanationController.endpoint, ExplanationRequest(signed: foreign)).value(
                VerificationExplanation.self)
            #expect(other.reason == "untrusted_root")
        }
    }

    @Test(arguments: [
        (ExplanationRequest(), "explanation.ambiguous"), (ExplanationRequest(receipt: "MA==", signed: "a.b.c"), "explanation.ambiguous"),
        (ExplanationRequest(receipt: "not base64!"), "explanation.not-base64"),
    ])
    func `a request without exactly one value to explain is refused with an error code`(_ request: ExplanationRequest, _ code: String)
        async throws
    {
        try await Shop.open { shop async throws in
            let answer = try await shop.call(ProofExplanationController.endpoint, request)
            #expect(answer.status == .badRequest)
            #expect(answer.code == code)
        }
    }
}
