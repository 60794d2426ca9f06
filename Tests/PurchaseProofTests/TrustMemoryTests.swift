import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseProof

@Suite struct TrustMemoryTests {
    @Test(arguments: TrustChain.Kind.allCases)
    func `a chain is remembered, by copies of the set too, and proving it again gives the same object`(kind: TrustChain.Kind) async throws {
        let chain = try TrustChain(kind)
        #expect(chain.remembered() == nil)
        let copy = chain.roots
        let proven = try await chain.prove()
        #expect(chain.remembered() === proven)
        #expect(chain.remembered(by: copy) === proven)
        #expect(try await chain.prove() === proven)
        #expect(try await chain.prove(at: .testStart.adding(seconds: 1), trace: Trace()) === proven)
    }

    @Test func `what is remembered has the bytes that callers compare`() async throws {
        let chain = try TrustChain(.signedData)
        let proven = try await chain.prove()
        let leaf = try #require(proven.certificates.first)
        #expect(proven.base64.map { String(decoding: $0, as: UTF8.self) } == chain.encoded.map { Data($0).base64EncodedString() })
        #expect(proven.serial == [0] + leaf.serialNumber.bytes)
        #expect(try DistinguishedName(derEncoded: DER.parse(proven.issuer)) == leaf.issuer)
    }

    @Test func `a chain is not remembered where its root does not count`() async throws {
        let chain = try TrustChain(.signedData)
        _ = try await chain.prove()
        #expect(chain.remembered(in: .production) == nil)
        #expect(chain.remembered(in: .xcode) == nil)
        #expect(chain.remembered(by: .apple) == nil)
    }

    @Test func `a set that counts for more environments remembers for all of them`() async throws {
        let chain = try TrustChain(.signedData, in: [.sandbox, .xcode])
        let proven = try await chain.prove(in: .xcode)
        #expect(chain.remembered(in: .sandbox) === proven)
    }

    @Test(arguments: TrustChain.Kind.allCases)
    func `certificates in another order or with others among them are proven and not remembered`(kind: TrustChain.Kind) async throws {
        let whole = try TrustChain(kind)
        let junk = try TrustChain(kind, of: TestAuthority.other.authority)
        let (leaf, intermediate, root) = (whole.encoded[0], whole.encoded[1], whole.encoded[2])
        for certificates in [
            [leaf, root, intermediate], [leaf, intermediate, root, junk.encoded[1]], [leaf, junk.encoded[1], intermediate, root],
            [leaf, intermediate, root, root], [leaf, intermediate, intermediate, root], [leaf, leaf, intermediate, root],
        ] {
            var chain = whole
            chain.encoded = certificates
            #expect(try await chain.prove().encoded == whole.encoded)
            #expect(whole.roots.remembered(in: .sandbox, at: .testStart) { _ in true } == nil)
        }
    }

    @Test func `what was refused is not remembered`() async throws {
        let chain = try TrustChain(.signedData)
        await #expect(throws: Unproven.self) { try await chain.prove(at: .testStart.adding(days: -400)) }
        await #expect(throws: Unproven.self) { try await chain.prove(in: .production) }
        #expect(chain.remembered() == nil)
    }

    @Test func `a full memory still proves, keeps what it has, and leaves other roots alone`() async throws {
        let (chains, roots) = try TrustChain.leaves(ProvenChains.limit + 2)
        let other = try TrustChain(.signedData)
        let both = try roots.trusting(TestAuthority.shared.flawed([]).authority.rootsPEM, in: [.sandbox])
        for (number, chain) in chains.enumerated() {
            let proven = try await both.prove(chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil)
            let isKept = both.remembered(in: .sandbox, at: .testStart) { $0 === proven } != nil
            #expect(isKept == (number < ProvenChains.limit))
        }
        let first = try #require(chains.first)
        #expect(both.remembered(in: .sandbox, at: .testStart) { $0.encoded == first } != nil)
        let own = try TrustedRoots.apple(and: TestAuthority.shared.authority.rootsPEM, in: [.sandbox])
        let proven = try await other.prove()
        #expect(other.remembered() === proven)
        #expect(other.remembered(by: own) == nil)
    }

    @Test func `threads that prove the same chains at once end with one object for each`() async throws {
        let (chains, roots) = try TrustChain.leaves(8)
        let all = await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    var seen: [ObjectIdentifier] = []
                    for chain in chains {
                        let proven = try? await roots.prove(
                            chain[0], through: Array(chain[1...]), in: .sandbox, at: .testStart, place: "x", trace: nil
                        )
                        if let proven { seen.append(ObjectIdentifier(proven)) }
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
