import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct ReceiptExplanationTests {
    @Test func `an explanation has a step for each part of the verification`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let verifier = ReceiptVerifier(roots: try TestAuthority.shared.roots, BundleCheck(.test), EnvironmentCheck([.sandbox]))
        let (outcome, explanation) = await verifier.explain(bytes)
        #expect(try outcome.get().payload.bundleID == .test)
        let names = explanation.steps.map(\.name)
        #expect(names.starts(with: ["container", "content", "certificates"]))
        #expect(names.suffix(4) == ["signature", "revocation", "bundle", "environment"])
        #expect(explanation.steps.allSatisfy { $0.status == .passed || $0.status == .skipped })
        #expect(explanation.steps[0].observed == "\(bytes.count) bytes of DER, 3 certificates")
        #expect(explanation.steps[1].observed == "ProductionSandbox for com.example.monkeyshop, created 2025-01-31T12:34:56Z, 1 purchases")
        #expect(await verifier.outcome(of: bytes) == outcome)
    }

    @Test func `an explanation ends with the step that failed`() async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample())
        let verifier = ReceiptVerifier(roots: try TestAuthority.shared.roots, BundleCheck(.test), VersionCheck("2.0"))
        let (outcome, explanation) = await verifier.explain(bytes)
        #expect(outcome == .refused(Refusal(.foreignVersion("1.0"), at: "receipt.3")))
        #expect(explanation.steps.last?.status == .failed)
        #expect(explanation.steps.last?.name == "receipt.3")
        #expect(explanation.steps.dropLast().last?.name == "bundle")
        let (_, nothing) = await verifier.explain([])
        #expect(nothing.steps.map(\.name) == ["ContentInfo"])
    }

    @Test func `an unverified receipt can be inspected`() throws {
        let receipt = try UnverifiedReceipt(TestAuthority.other.receipts.issue(.sample()))
        #expect(receipt.payload.bundleID == .test)
        #expect(receipt.certificates.count == 3)
        #expect(receipt.digest == "SHA-256")
        #expect(receipt.signatureAlgorithm == "rsaEncryption")
        #expect(receipt.isDER)
        #expect(receipt.contentSize < receipt.size)
        let xcode = try UnverifiedReceipt(ReceiptIssuer(xcode: TestAuthority.xcode).issue(.sample(environment: .xcode)))
        #expect(!xcode.isDER)
        #expect(xcode.signatureAlgorithm == "SHA-256 with RSA")
        #expect(xcode.certificates.count == 1)
        #expect(xcode.payload.environment == .xcode)
    }
}
