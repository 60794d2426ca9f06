import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct ReceiptTrustTests {
    private func refusal(of bytes: [UInt8], by roots: TrustedRoots) async -> Refusal.Reason? {
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test))
        guard case .refused(let refusal) = await verifier.outcome(of: bytes) else { return nil }
        return refusal.reason
    }

    @Test func `a receipt under another root is refused`() async throws {
        let bytes = try TestAuthority.other.receipts.issue(.sample())
        #expect(try await refusal(of: bytes, by: TestAuthority.shared.roots) == .untrustedRoot)
        #expect(await refusal(of: bytes, by: .apple) == .untrustedRoot)
        #expect(try await refusal(of: bytes, by: TestAuthority.other.roots) == nil)
    }

    @Test(arguments: [
        (AuthorityDefects.leafWithoutMarker, Refusal.Reason.marker), (.intermediateWithoutMarker, .marker), (.expiredLeaf, .validity),
        (.leafWithoutDigitalSignature, .chain), (.wrongKey, .signature), (AuthorityDefects(), nil),
    ])
    func `a receipt of a defective authority is refused even under a trusted root`(
        defects: AuthorityDefects, reason: Refusal.Reason?
    ) async throws {
        let authority = try TestAuthority.shared.defective(defects)
        let bytes = try authority.receipts.issue(.sample())
        #expect(try await refusal(of: bytes, by: authority.roots) == reason)
    }

    @Test func `the chain is verified at the creation date of the receipt`() async throws {
        let authority = try TestAuthority.shared.defective(.expiredLeaf)
        let roots = try authority.roots
        let lastDay = Timestamp.testStart.adding(days: -1)
        for (date, reason) in [
            (lastDay, nil), (lastDay.adding(seconds: 1), Refusal.Reason.validity), (lastDay.adding(days: -366), .validity),
        ] {
            #expect(try await refusal(of: authority.receipts.issue(.sample(date: date)), by: roots) == reason)
        }
    }

    @Test func `a changed payload is refused`() async throws {
        var bytes = try TestAuthority.shared.receipts.issue(.sample())
        let text = Array("credits5".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place + 7] = UInt8(ascii: "9")
        #expect(try await refusal(of: bytes, by: TestAuthority.shared.roots) == .signature)
    }

    @Test(arguments: [AppEnvironment.production, .xcode])
    func `a receipt cannot claim an environment that its root is not trusted for`(environment: AppEnvironment) async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample(environment: environment))
        #expect(try await refusal(of: bytes, by: TestAuthority.shared.roots) == .untrustedRoot)
    }

    @Test func `an unknown receipt type counts as the sandbox`() async throws {
        let payload = try ReceiptContent.sample().payload(replacing: "ProductionSandbox", with: "ProductionFuture!")
        let receipt = try await TestAuthority.shared.receiptVerifier().verify(TestAuthority.shared.receipts.sign(payload))
        #expect(receipt.payload.receiptType == "ProductionFuture!")
        #expect(receipt.payload.environment == .sandbox)
    }

    @Test(arguments: [[AppEnvironment.production], [.sandbox, .production]])
    func `no additional root can be trusted for production`(environments: [AppEnvironment]) {
        #expect(throws: TrustError.productionTrustsAppleOnly) {
            try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: Set(environments))
        }
    }

    @Test func `additional roots keep the existing roots, each with its environments`() async throws {
        let shared = TestAuthority.shared
        let roots = try TrustedRoots.apple(and: TestAuthority.other.authority.rootsPEM, in: [.xcode])
            .trusting(shared.authority.rootsPEM, in: [.sandbox])
        #expect(try await refusal(of: shared.receipts.issue(.sample()), by: roots) == nil)
        #expect(try await refusal(of: TestAuthority.other.receipts.issue(.sample()), by: roots) == .untrustedRoot)
        let both = try roots.trusting(TestAuthority.other.authority.rootsPEM, in: [.sandbox])
        #expect(try await refusal(of: TestAuthority.other.receipts.issue(.sample()), by: both) == nil)
    }

    @Test func `text that is not a root certificate cannot be trusted`() throws {
        let archive = try TestAuthority.shared.authority.archive
        let blocks = archive.split(separator: "-----BEGIN").map { "-----BEGIN" + $0 }
        let key = blocks[0]
        let leaf = blocks[1]
        for text in ["", "no certificate", key, leaf, TestAuthority.shared.authority.rootsPEM + leaf] {
            #expect(throws: TrustError.self) { try TrustedRoots.apple(and: text, in: [.sandbox]) }
        }
    }
}
