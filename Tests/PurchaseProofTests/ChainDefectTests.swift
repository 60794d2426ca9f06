import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseProof

@Suite struct ChainDefectTests {
    /// Chains with defects, with the reason and the place of the refusal.
    static let defects: [(defects: AuthorityDefects, reason: Refusal.Reason, place: String)] = [
        (.leafWithoutMarker, .marker, "x[0]"),
        (.intermediateWithoutMarker, .marker, "x[1]"),
        (.swappedMarkers, .marker, "x[0]"),
        (.expiredLeaf, .validity, "x[0]"),
        (.notYetValidLeaf, .validity, "x[0]"),
        (.expiredIntermediate, .validity, "x[1]"),
        (.expiredRoot, .validity, "x[2]"),
        (.intermediateIsNotCA, .chain, "x[1]"),
        (.intermediateWithoutKeyCertSign, .chain, "x[1]"),
        (.leafWithoutDigitalSignature, .chain, "x[0]"),
        (.rootPathLengthZero, .chain, "x[2]"),
        (.unknownCriticalExtension, .chain, "x[0]"),
        (.leafSignedByUnknownIssuer, .chain, "x[0]"),
        (.intermediateSignedByUnknownIssuer, .chain, "x[1]"),
        (.twoIntermediates, .chain, "x[1]"),
        ([.expiredLeaf, .leafWithoutMarker], .marker, "x[0]"),
        ([.leafWithoutMarker, .intermediateWithoutKeyCertSign], .chain, "x[1]"),
        ([.expiredLeaf, .expiredIntermediate], .validity, "x[0]"),
    ]

    @Test(arguments: defects, TrustChain.Kind.allCases)
    func `each defect is refused with its reason and place`(
        defect: (defects: AuthorityDefects, reason: Refusal.Reason, place: String), kind: TrustChain.Kind
    ) async throws {
        let chain = try TrustChain(kind, with: defect.defects)
        await #expect(throws: VerificationFailure.refused(defect.reason, at: defect.place)) { try await chain.verify() }
        #expect(chain.cached() == nil)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a chain without defects is verified`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        let verified = try await chain.verify()
        #expect(verified.encoded == chain.encoded)
        #expect(verified.root == RootFingerprint(of: chain.encoded[2]))
        switch (kind, verified.key) {
        case (.receipts, .rsa), (.signedData, .p256): break
        default: Issue.record("The key has another type.")
        }
    }

    @Test func `SHA-1 is accepted in the chain of receipts, as Apple signed until 2023`() async throws {
        let old = try CertificateAuthority(name: "Old", now: .testStart, keys: AuthorityKeys(), defects: [], generation: .sha1)
        _ = try await TrustChain(.receipts, of: old).verify()
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a chain to an unknown root, or to a root of another environment, is untrusted`(kind: TrustChain.Kind) async throws {
        let untrusted = VerificationFailure.refused(.untrustedRoot, at: "x")
        let chain = try TrustChain(kind)
        let foreign = try TrustChain(kind, of: TestAuthority.other.authority)
        await #expect(throws: untrusted) { try await foreign.verify(by: chain.roots) }
        await #expect(throws: untrusted) { try await chain.verify(by: .apple) }
        for environment in [AppEnvironment.production, .xcode] {
            await #expect(throws: untrusted) { try await chain.verify(in: environment) }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `a foreign chain with the names of a trusted chain is refused, even with the trusted root appended`(
        kind: TrustChain.Kind
    ) async throws {
        let trusted = try TrustChain(kind)
        let imitation = try CertificateAuthority(name: "Tests", now: .testStart)
        var chain = try TrustChain(kind, of: imitation)
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "x")) { try await chain.verify(by: trusted.roots) }
        chain.encoded[2] = trusted.encoded[2]
        await #expect(throws: VerificationFailure.refused(.chain, at: "x[1]")) { try await chain.verify(by: trusted.roots) }
        chain.encoded[1] = trusted.encoded[1]
        await #expect(throws: VerificationFailure.refused(.chain, at: "x[0]")) { try await chain.verify(by: trusted.roots) }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `too few certificates, or a CA certificate as the signer, do not form a chain`(kind: TrustChain.Kind) async throws {
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
            await #expect(throws: VerificationFailure.refused(.chain, at: place)) { try await chain.verify() }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases, 0..<3)
    func `an unreadable certificate is malformed`(kind: TrustChain.Kind, index: Int) async throws {
        let whole = try TrustChain(kind)
        let certificate = whole.encoded[index]
        let indefinite = [0x30, 0x80] + certificate.dropFirst(4) + [0, 0]
        for bytes in [[], [0x30, 0x00], Array(certificate.dropLast()), certificate + [0], indefinite] {
            var chain = whole
            chain.encoded[index] = bytes
            await #expect(throws: VerificationFailure.refused(.malformed, at: "x[\(index)]")) { try await chain.verify() }
        }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `the data may omit a configured root`(kind: TrustChain.Kind) async throws {
        var chain = try TrustChain(kind)
        let root = chain.encoded.removeLast()
        let verified = try await chain.verify()
        #expect(verified.encoded == chain.encoded + [root])
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "x")) { try await chain.verify(in: .xcode) }
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `of two intermediates with one key, the valid one is used`(kind: TrustChain.Kind) async throws {
        let good = try TrustChain(kind)
        let old = try TrustChain(kind, with: .expiredIntermediate)
        for intermediates in [[old.encoded[1], good.encoded[1]], [good.encoded[1], old.encoded[1]]] {
            var chain = good
            chain.encoded.replaceSubrange(1...1, with: intermediates)
            #expect(try await chain.verify().encoded == good.encoded)
            #expect(chain.cached() == nil && good.cached() == nil)
        }
    }

    @Test func `too many certificates are refused`() async throws {
        var chain = try TrustChain(.signedData)
        chain.encoded += Array(repeating: chain.encoded[1], count: 6)
        await #expect(throws: VerificationFailure.refused(.tooLarge(limit: 8), at: "x")) { try await chain.verify() }
    }

    @Test(arguments: [Int64.min, -1, 4_102_444_800_001, .max])
    func `a time outside the range of certificate dates is refused`(milliseconds: Int64) async throws {
        let chain = try TrustChain(.signedData)
        _ = try await chain.verify()
        let time = Timestamp(milliseconds: milliseconds)
        await #expect(throws: VerificationFailure.refused(.validity, at: "x")) { try await chain.verify(at: time) }
        #expect(chain.cached(at: time) == nil)
    }

    @Test(arguments: [TrustChain.Kind.receipts, .signedData])
    func `a validity includes the first and the last second`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        let validity = try await chain.verify().validity
        for (time, isValid) in [
            (validity.lowerBound, true), (validity.lowerBound.adding(milliseconds: -1), false),
            (validity.upperBound.adding(milliseconds: 999), true), (validity.upperBound.adding(seconds: 1), false),
        ] {
            let another = try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: [])
            #expect((chain.cached(at: time) != nil) == isValid)
            #expect(chain.cached(by: another, at: time) == nil)
            if isValid {
                _ = try await chain.verify(at: time)
            } else {
                await #expect(throws: VerificationFailure.refused(.validity, at: "x[0]")) { try await chain.verify(at: time) }
            }
        }
    }

    @Test func `a refusal states the certificate, its dates and the time of signing, and no other data`() async throws {
        let chain = try TrustChain(.signedData, with: .expiredLeaf)
        let error = await #expect(throws: VerificationFailure.self) { try await chain.verify() }
        let message = try #require(error?.message)
        #expect(message.contains("The signer's certificate was valid from 2024-02-01T12:34:56Z to 2025-01-30T12:34:56Z"))
        #expect(message.contains("the data states that it was signed at 2025-01-31T12:34:56Z"))
        #expect(!message.contains("Tillroll"))
    }

    @Test func `an explanation has steps for certificates, root, chain, markers and validity`() async throws {
        let chain = try TrustChain(.signedData)
        let trace = Trace()
        _ = try await chain.verify(trace: trace)
        let steps = trace.steps
        #expect(steps.map(\.name) == ["certificates", "root", "chain", "markers", "validity"])
        #expect(steps.allSatisfy { $0.status == .passed })
        #expect(steps[0].observed.contains("x[1]: ") && steps[0].observed.contains("Tillroll Local Signed Data Intermediate CA"))
        #expect(steps[1].observed == "\(RootFingerprint(of: chain.encoded[2]).description), configured")
    }
}
