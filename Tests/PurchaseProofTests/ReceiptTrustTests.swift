import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct ReceiptTrustTests {
    private func isUntrusted(_ bytes: [UInt8], by roots: TrustedRoots) async throws -> Bool {
        let verifier = ReceiptVerifier(roots: roots, BundleCheck(.test))
        do {
            _ = try await verifier.verify(bytes)
            return false
        } catch ReceiptError.untrusted {
            return true
        }
    }

    @Test func `a receipt under another root is untrusted`() async throws {
        let bytes = try TestAuthority.other.receipts.issue(.sample())
        #expect(try await isUntrusted(bytes, by: TestAuthority.shared.roots))
        #expect(try await isUntrusted(bytes, by: .apple))
        #expect(try await !isUntrusted(bytes, by: TestAuthority.other.roots))
    }

    @Test(arguments: [
        (AuthorityFlaws.noLeafMarker, true), (.noIntermediateMarker, true), (.expiredLeaf, true), (.wrongKey, true),
        (AuthorityFlaws(), false),
    ])
    func `a receipt of a flawed authority is untrusted even under a trusted root`(flaws: AuthorityFlaws, untrusted: Bool) async throws {
        let authority = try TestAuthority.shared.flawed(flaws)
        let bytes = try authority.receipts.issue(.sample())
        #expect(try await isUntrusted(bytes, by: authority.roots) == untrusted)
    }

    @Test func `the chain is judged when the receipt was made`() async throws {
        let authority = try TestAuthority.shared.flawed(.expiredLeaf)
        let roots = try authority.roots
        let lastDay = Timestamp.testStart.adding(days: -1)
        #expect(try await !isUntrusted(authority.receipts.issue(.sample(date: lastDay)), by: roots))
        #expect(try await isUntrusted(authority.receipts.issue(.sample(date: lastDay.adding(seconds: 1))), by: roots))
        #expect(try await isUntrusted(authority.receipts.issue(.sample(date: lastDay.adding(days: -366))), by: roots))
    }

    @Test func `a changed payload is untrusted`() async throws {
        var bytes = try TestAuthority.shared.receipts.issue(.sample())
        let text = Array("credits5".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
        bytes[place + 7] = UInt8(ascii: "9")
        #expect(try await isUntrusted(bytes, by: TestAuthority.shared.roots))
    }

    @Test(arguments: [AppEnvironment.production, .xcode])
    func `a local receipt can't claim an environment that its root is not good for`(environment: AppEnvironment) async throws {
        let bytes = try TestAuthority.shared.receipts.issue(.sample(environment: environment))
        #expect(try await isUntrusted(bytes, by: TestAuthority.shared.roots))
    }

    @Test func `a receipt type of the future counts as the sandbox`() async throws {
        let payload = try ReceiptContent.sample().payload(replacing: "ProductionSandbox", with: "ProductionFuture!")
        let receipt = try await TestAuthority.shared.receiptVerifier().verify(TestAuthority.shared.receipts.sign(payload))
        #expect(receipt.payload.receiptType == "ProductionFuture!")
        #expect(receipt.payload.environment == .sandbox)
    }

    @Test(arguments: [[AppEnvironment.production], [.sandbox, .production]])
    func `no further root can be configured for production`(environments: [AppEnvironment]) {
        #expect(throws: TrustError.productionTrustsAppleOnly) {
            try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: Set(environments))
        }
    }

    @Test func `what is not a root can't be trusted`() throws {
        let archive = try TestAuthority.shared.authority.archive
        let blocks = archive.split(separator: "-----BEGIN").map { "-----BEGIN" + $0 }
        let key = blocks[0]
        let leaf = blocks[1]
        for text in ["", "no certificate", key, leaf, TestAuthority.shared.authority.rootsPEM + leaf] {
            #expect(throws: TrustError.self) { try TrustedRoots.apple(and: text, in: [.sandbox]) }
        }
    }
}
