import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct TrustFlawTests {
    /// What is asked first is what is said.
    static let flaws: [(flaws: AuthorityFlaws, reason: Refusal.Reason, place: String)] = [
        (.noLeafMarker, .marker, "x[0]"),
        (.noIntermediateMarker, .marker, "x[1]"),
        (.swappedMarkers, .marker, "x[0]"),
        (.expiredLeaf, .validity, "x[0]"),
        (.notYetValidLeaf, .validity, "x[0]"),
        (.expiredIntermediate, .validity, "x[1]"),
        (.expiredRoot, .validity, "x[2]"),
        (.intermediateNoAuthority, .chain, "x[1]"),
        (.intermediateMayNotCertify, .chain, "x[1]"),
        (.leafMayNotSign, .chain, "x[0]"),
        (.rootPathTooShort, .chain, "x[2]"),
        (.unknownCriticalExtension, .chain, "x[0]"),
        (.strangersLeaf, .chain, "x[0]"),
        (.strangersIntermediate, .chain, "x[1]"),
        (.longChain, .chain, "x[1]"),
        ([.expiredLeaf, .noLeafMarker], .marker, "x[0]"),
        ([.noLeafMarker, .intermediateMayNotCertify], .chain, "x[1]"),
        ([.expiredLeaf, .expiredIntermediate], .validity, "x[0]"),
    ]

    @Test(arguments: flaws, TrustChain.Kind.allCases)
    func `each flaw has its reason and its place`(
        flaw: (flaws: AuthorityFlaws, reason: Refusal.Reason, place: String), kind: TrustChain.Kind
    ) async throws {
        let chain = try TrustChain(kind, with: flaw.flaws)
        await #expect(throws: Unproven.refused(flaw.reason, at: flaw.place)) { try await chain.prove() }
        #expect(chain.remembered() == nil)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a chain without flaws is proven`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        let proven = try await chain.prove()
        #expect(proven.encoded == chain.encoded)
        #expect(proven.root == RootFingerprint(of: chain.encoded[2]))
        switch (kind, proven.key) {
        case (.receipts, .rsa), (.signedData, .p256): break
        default: Issue.record("The key is of another kind.")
        }
    }

    @Test func `SHA-1 is accepted in the chain of receipts, as Apple signed until 2023`() async throws {
        let old = try CertificateAuthority(name: "Old", now: .testStart, keys: AuthorityKeys(), flaws: [], generation: .sha1)
        _ = try await TrustChain(.receipts, of: old).prove()
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a chain to another root, or to one that counts elsewhere, has no root`(kind: TrustChain.Kind) async throws {
        let none = Unproven.refused(.untrustedRoot, at: "x")
        let chain = try TrustChain(kind)
        let strangers = try TrustChain(kind, of: TestAuthority.other.authority)
        await #expect(throws: none) { try await strangers.prove(by: chain.roots) }
        await #expect(throws: none) { try await chain.prove(by: .apple) }
        for environment in [AppEnvironment.production, .xcode] {
            await #expect(throws: none) { try await chain.prove(in: environment) }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a stranger's chain with the names of ours has no root, and putting our root behind it does not help`(
        kind: TrustChain.Kind
    ) async throws {
        let ours = try TrustChain(kind)
        let copy = try CertificateAuthority(name: "Tests", now: .testStart)
        var chain = try TrustChain(kind, of: copy)
        await #expect(throws: Unproven.refused(.untrustedRoot, at: "x")) { try await chain.prove(by: ours.roots) }
        chain.encoded[2] = ours.encoded[2]
        await #expect(throws: Unproven.refused(.chain, at: "x[1]")) { try await chain.prove(by: ours.roots) }
        chain.encoded[1] = ours.encoded[1]
        await #expect(throws: Unproven.refused(.chain, at: "x[0]")) { try await chain.prove(by: ours.roots) }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `too few certificates, or a signer that is none, make no chain`(kind: TrustChain.Kind) async throws {
        let whole = try TrustChain(kind)
        let others = try TrustChain(kind, of: TestAuthority.other.authority)
        for (certificates, place) in [
            ([whole.encoded[0], whole.encoded[2]], "x[0]"),
            ([whole.encoded[1], whole.encoded[2]], "x[0]"),
            ([whole.encoded[2], whole.encoded[1], whole.encoded[0]], "x[0]"),
            ([whole.encoded[1], whole.encoded[0], whole.encoded[2]], "x[0]"),
            ([whole.encoded[2]], "x[0]"),
            ([whole.encoded[2], whole.encoded[2], whole.encoded[2]], "x[0]"),
            ([others.encoded[0], others.encoded[1], whole.encoded[2]], "x[1]"),
        ] {
            var chain = whole
            chain.encoded = certificates
            await #expect(throws: Unproven.refused(.chain, at: place)) { try await chain.prove() }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases, 0..<3)
    func `a certificate that can't be read is malformed`(kind: TrustChain.Kind, index: Int) async throws {
        let whole = try TrustChain(kind)
        let certificate = whole.encoded[index]
        let indefinite = [0x30, 0x80] + certificate.dropFirst(4) + [0, 0]
        for bytes in [[], [0x30, 0x00], Array(certificate.dropLast()), certificate + [0], indefinite] {
            var chain = whole
            chain.encoded[index] = bytes
            await #expect(throws: Unproven.refused(.malformed, at: "x[\(index)]")) { try await chain.prove() }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a root that is configured need not come along`(kind: TrustChain.Kind) async throws {
        var chain = try TrustChain(kind)
        let root = chain.encoded.removeLast()
        let proven = try await chain.prove()
        #expect(proven.encoded == chain.encoded + [root])
        await #expect(throws: Unproven.refused(.untrustedRoot, at: "x")) { try await chain.prove(in: .xcode) }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `of two intermediates of one key, the one that was valid is taken`(kind: TrustChain.Kind) async throws {
        let good = try TrustChain(kind)
        let old = try TrustChain(kind, with: .expiredIntermediate)
        for intermediates in [[old.encoded[1], good.encoded[1]], [good.encoded[1], old.encoded[1]]] {
            var chain = good
            chain.encoded.replaceSubrange(1...1, with: intermediates)
            #expect(try await chain.prove().encoded == good.encoded)
            #expect(chain.remembered() == nil && good.remembered() == nil)
        }
    }

    @Test func `more certificates than anybody sends are too many`() async throws {
        var chain = try TrustChain(.signedData)
        chain.encoded += Array(repeating: chain.encoded[1], count: 6)
        await #expect(throws: Unproven.refused(.tooLarge(limit: 8), at: "x")) { try await chain.prove() }
    }

    @Test(arguments: [Int64.min, -1, 4_102_444_800_001, .max])
    func `a time that no certificate can state is refused before the library sees it`(milliseconds: Int64) async throws {
        let chain = try TrustChain(.signedData)
        _ = try await chain.prove()
        let time = Timestamp(milliseconds: milliseconds)
        await #expect(throws: Unproven.refused(.validity, at: "x")) { try await chain.prove(at: time) }
        #expect(chain.remembered(at: time) == nil)
    }

    @Test(arguments: [TrustChain.Kind.receipts, .signedData])
    func `a validity holds from its first second through its last`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        let validity = try await chain.prove().validity
        for (time, isValid) in [
            (validity.lowerBound, true), (validity.lowerBound.adding(milliseconds: -1), false),
            (validity.upperBound.adding(milliseconds: 999), true), (validity.upperBound.adding(seconds: 1), false),
        ] {
            let another = try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: [])
            #expect((chain.remembered(at: time) != nil) == isValid)
            #expect(chain.remembered(by: another, at: time) == nil)
            if isValid {
                _ = try await chain.prove(at: time)
            } else {
                await #expect(throws: Unproven.refused(.validity, at: "x[0]")) { try await chain.prove(at: time) }
            }
        }
    }

    @Test func `a refusal says which certificate, its dates and the time, and nothing else of the data`() async throws {
        let chain = try TrustChain(.signedData, with: .expiredLeaf)
        let error = await #expect(throws: Unproven.self) { try await chain.prove() }
        let sentence = try #require(error?.sentence)
        #expect(sentence.contains("The signer's certificate was valid from 2024-02-01T12:34:56Z to 2025-01-30T12:34:56Z"))
        #expect(sentence.contains("it says it was signed at 2025-01-31T12:34:56Z"))
        #expect(!sentence.contains("Tillroll"))
    }

    @Test func `the story names certificates, root, markers and validity`() async throws {
        let chain = try TrustChain(.signedData)
        let trace = Trace()
        _ = try await chain.prove(trace: trace)
        let steps = trace.explanation.steps
        #expect(steps.map(\.name) == ["certificates", "root", "chain", "markers", "validity"])
        #expect(steps.allSatisfy { $0.outcome == .passed })
        #expect(steps[0].saw.contains("x[1]: ") && steps[0].saw.contains("Tillroll Local Signed Data Intermediate CA"))
        #expect(steps[1].saw == "\(RootFingerprint(of: chain.encoded[2]).description), configured")
    }
}
