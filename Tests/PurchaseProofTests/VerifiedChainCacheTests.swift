import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseProof

@Suite struct VerifiedChainCacheTests {
    @Test(arguments: TrustChain.Kind.allCases)
    func `a verified chain is cached, also for copies of the roots, and later verifications return the same object`(kind: TrustChain.Kind)
        async throws
    {
        let chain = try TrustChain(kind)
        #expect(chain.cached() == nil)
        let copy = chain.roots
        let verified = try await chain.verify()
        #expect(chain.cached() === verified)
        #expect(chain.cached(by: copy) === verified)
        #expect(try await chain.verify() === verified)
        #expect(try await chain.verify(at: .testStart.adding(seconds: 1), trace: Trace()) === verified)
    }

    @Test func `a cached chain has the bytes that callers compare`() async throws {
        let chain = try TrustChain(.signedData)
        let verified = try await chain.verify()
        let leaf = try #require(verified.certificates.first)
        #expect(verified.base64.map { String(decoding: $0, as: UTF8.self) } == chain.encoded.map { Data($0).base64EncodedString() })
        #expect(verified.serial == [0] + leaf.serialNumber.bytes)
        #expect(try DistinguishedName(derEncoded: DER.parse(verified.issuer)) == leaf.issuer)
    }

    @Test func `a chain is not cached for environments in which its root is not trusted`() async throws {
        let chain = try TrustChain(.signedData)
        _ = try await chain.verify()
        #expect(chain.cached(in: .production) == nil)
        #expect(chain.cached(in: .xcode) == nil)
        #expect(chain.cached(by: .apple) == nil)
    }

    @Test func `a chain is cached for all environments of its root`() async throws {
        let chain = try TrustChain(.signedData, in: [.sandbox, .xcode])
        let verified = try await chain.verify(in: .xcode)
        #expect(chain.cached(in: .sandbox) === verified)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `certificates in another order or with others among them are verified and not cached`(kind: TrustChain.Kind) async throws {
        let whole = try TrustChain(kind)
        let junk = try TrustChain(kind, of: TestAuthority.other.authority)
        let (leaf, intermediate, root) = (whole.encoded[0], whole.encoded[1], whole.encoded[2])
        for certificates in [
            [leaf, root, intermediate], [leaf, intermediate, root, junk.encoded[1]], [leaf, junk.encoded[1], intermediate, root],
            [leaf, intermediate, root, root], [leaf, intermediate, intermediate, root], [leaf, leaf, intermediate, root],
        ] {
            var chain = whole
            chain.encoded = certificates
            #expect(try await chain.verify().encoded == whole.encoded)
            #expect(whole.roots.cachedChain(in: .sandbox, at: .testStart) { _ in true } == nil)
        }
    }

    @Test func `a refused chain is not cached`() async throws {
        let chain = try TrustChain(.signedData)
        await #expect(throws: VerificationFailure.self) { try await chain.verify(at: .testStart.adding(days: -400)) }
        await #expect(throws: VerificationFailure.self) { try await chain.verify(in: .production) }
        #expect(chain.cached() == nil)
    }

    @Test func `with a full cache chains are still verified, and the caches of other roots are unaffected`() async throws {
        let (chains, roots) = try TrustChain.leaves(VerifiedChainCache.limit + 2)
        let other = try TrustChain(.signedData)
        let both = try roots.trusting(TestAuthority.shared.defective([]).authority.rootsPEM, in: [.sandbox])
        for (number, chain) in chains.enumerated() {
            let verified = try await both.verifyChain(
                chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil)
            let isCached = both.cachedChain(in: .sandbox, at: .testStart) { $0 === verified } != nil
            #expect(isCached == (number < VerifiedChainCache.limit))
        }
        let first = try #require(chains.first)
        #expect(both.cachedChain(in: .sandbox, at: .testStart) { $0.encoded == first } != nil)
        let own = try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: [.sandbox])
        let verified = try await other.verify()
        #expect(other.cached() === verified)
        #expect(other.cached(by: own) == nil)
    }

    @Test func `concurrent verifications of the same chains return one object for each chain`() async throws {
        let (chains, roots) = try TrustChain.leaves(8)
        let all = await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    var seen: [ObjectIdentifier] = []
                    for chain in chains {
                        let verified = try? await roots.verifyChain(
                            chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil
                        )
                        if let verified { seen.append(ObjectIdentifier(verified)) }
                    }
                    return seen
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.count == 8 && Set(all).count == 1)
        #expect(Set(all[0]).count == 8)
    }
}
