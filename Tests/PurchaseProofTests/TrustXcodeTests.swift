import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct TrustXcodeTests {
    private let authority: XcodeAuthority
    private let certificates: [[UInt8]]

    init() throws {
        authority = try XcodeAuthority(now: .testStart)
        certificates = try [authority.receiptCertificate.derBytes, authority.signedDataCertificate.derBytes]
    }

    private func roots(in environments: Set<AppEnvironment>) throws -> TrustedRoots {
        try .apple(and: authority.receiptCertificatePEM + authority.signedDataCertificatePEM, in: environments)
    }

    private func verify(
        _ certificate: [UInt8], through others: [[UInt8]] = [], by roots: TrustedRoots, in environment: AppEnvironment = .xcode,
        at time: Timestamp = .testStart
    ) async throws(VerificationFailure) -> VerifiedChain {
        try await roots.verifyChain(certificate, through: others, in: environment, at: time, place: "x", trace: nil)
    }

    @Test func `a configured self-signed certificate is trusted and cached in Xcode's environment`() async throws {
        let roots = try roots(in: [.xcode])
        for certificate in certificates {
            let verified = try await verify(certificate, by: roots)
            #expect(verified.encoded == [certificate])
            #expect(roots.cachedChain(in: .xcode, at: .testStart) { $0.encoded == [certificate] } === verified)
        }
    }

    @Test func `a self-signed certificate is refused in every other environment`() async throws {
        let roots = try roots(in: [.xcode, .sandbox])
        for certificate in certificates {
            _ = try await verify(certificate, by: roots)
            #expect(roots.cachedChain(in: .sandbox, at: .testStart) { _ in true } == nil)
            await #expect(throws: VerificationFailure.refused(.chain, at: "x[0]")) {
                try await verify(certificate, by: roots, in: .sandbox)
            }
            await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "x")) {
                try await verify(certificate, by: roots, in: .production)
            }
        }
    }

    @Test func `a certificate with only the names of Xcode's is untrusted`() async throws {
        for certificate in certificates {
            for roots in [TrustedRoots.apple, .apple.acceptingXcode()] {
                await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "x")) { try await verify(certificate, by: roots) }
            }
        }
    }

    @Test func `a self-signed certificate with further certificates is refused`() async throws {
        let roots = try roots(in: [.xcode])
        await #expect(throws: VerificationFailure.refused(.chain, at: "x[0]")) {
            try await verify(certificates[0], through: [certificates[1]], by: roots)
        }
    }

    @Test func `a self-signed certificate outside its validity is refused`() async throws {
        let roots = try roots(in: [.xcode])
        _ = try await verify(certificates[1], by: roots)
        for days: Int64 in [-366, 366] {
            let time = Timestamp.testStart.adding(days: days)
            await #expect(throws: VerificationFailure.refused(.validity, at: "x[0]")) {
                try await verify(certificates[1], by: roots, at: time)
            }
            #expect(roots.cachedChain(in: .xcode, at: time) { $0.encoded == [certificates[1]] } == nil)
        }
    }

    @Test func `the leaf of a local store is not trusted without its chain`() async throws {
        let chain = try TrustChain(.signedData, in: [.xcode])
        await #expect(throws: VerificationFailure.refused(.untrustedRoot, at: "x")) { try await verify(chain.encoded[0], by: chain.roots) }
        _ = try await chain.verify(in: .xcode)
    }

    @Test func `roots that accept Xcode have further roots`() throws {
        #expect(!TrustedRoots.apple.hasFurtherRoots)
        #expect(TrustedRoots.apple.acceptingXcode().hasFurtherRoots)
        #expect(try roots(in: [.xcode]).hasFurtherRoots)
    }
}
