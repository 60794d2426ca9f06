import Crypto
import CryptoExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Each flaw is in the certificates where it should be, and nowhere else.
@Suite struct AuthorityFlawTests {
    /// What is wrong with a chain, found by looking.
    private struct Findings: Equatable {
        var defects: AuthorityDefects = []
        /// Links whose names agree but whose signature is a stranger's, counted from the leaf.
        var brokenLinks: [Int] = []
    }

    private func inspect(_ chain: SigningChain, at now: Timestamp) throws -> Findings {
        var found = Findings()
        func find(_ flaw: AuthorityDefects, when isThere: Bool) {
            if isThere { found.defects.insert(flaw) }
        }
        let (leaf, intermediate, root) = (chain.leaf, chain.intermediate, chain.root)
        let areSwapped = leaf.extensions[oid: Marker.intermediate] != nil && intermediate.extensions[oid: Marker.leaf] != nil
        find(.swappedMarkers, when: areSwapped)
        find(.noLeafMarker, when: leaf.extensions[oid: Marker.leaf] == nil && !areSwapped)
        find(.noIntermediateMarker, when: intermediate.extensions[oid: Marker.intermediate] == nil && !areSwapped)
        find(.expiredLeaf, when: leaf.notValidAfter < now.date)
        find(.notYetValidLeaf, when: leaf.notValidBefore > now.date)
        find(.expiredIntermediate, when: intermediate.notValidAfter < now.date)
        find(.expiredRoot, when: root.notValidAfter < now.date)
        find(.intermediateNoAuthority, when: try intermediate.extensions.basicConstraints == .notCertificateAuthority)
        find(.intermediateMayNotCertify, when: try intermediate.extensions.keyUsage?.keyCertSign != true)
        find(.leafMayNotSign, when: try leaf.extensions.keyUsage?.digitalSignature != true)
        find(.rootPathTooShort, when: try root.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        find(.unknownCriticalExtension, when: leaf.extensions.contains { $0.critical && $0.oid.description.contains("99999") })
        find(.rootNotSelfSigned, when: root.issuer != root.subject || !root.publicKey.isValidSignature(root.signature, for: root))
        find(.longChain, when: chain.certificates.count != 3)
        for (index, (subject, issuer)) in zip(chain.certificates, chain.certificates.dropFirst()).enumerated() {
            #expect(subject.issuer == issuer.subject)
            if !issuer.publicKey.isValidSignature(subject.signature, for: subject) { found.brokenLinks.append(index) }
        }
        find(.strangersLeaf, when: found.brokenLinks == [0])
        find(.strangersIntermediate, when: found.brokenLinks == [1])
        return found
    }

    /// Those that can be seen in both chains.
    private static let inBothChains: [AuthorityDefects] = [
        [], .noLeafMarker, .noIntermediateMarker, .swappedMarkers, .expiredLeaf, .notYetValidLeaf, .expiredIntermediate, .expiredRoot,
        .intermediateNoAuthority, .intermediateMayNotCertify, .leafMayNotSign, .rootPathTooShort, .unknownCriticalExtension,
        .strangersLeaf, .strangersIntermediate, .rootNotSelfSigned, .longChain,
    ]

    @Test(arguments: inBothChains) func `a flaw is in both chains, and no other`(defects: AuthorityDefects) throws {
        let authority = try TestAuthority.shared.defective(defects).authority
        for chain in [authority.receiptChain, authority.signedDataChain] {
            #expect(try inspect(chain, at: .testStart).defects == defects)
        }
    }

    @Test func `the wrong key is not the leaf's`() throws {
        let good = TestAuthority.shared.authority
        #expect(Certificate.PublicKey(good.receiptKey.publicKey) == good.receiptChain.leaf.publicKey)
        #expect(Certificate.PublicKey(good.signedDataKey.publicKey) == good.signedDataChain.leaf.publicKey)
        let authority = try TestAuthority.shared.defective(.wrongKey).authority
        #expect(Certificate.PublicKey(authority.receiptKey.publicKey) != authority.receiptChain.leaf.publicKey)
        #expect(Certificate.PublicKey(authority.signedDataKey.publicKey) != authority.signedDataChain.leaf.publicKey)
    }

    @Test func `the leaf for signed data can have keys of other kinds`() throws {
        let p384 = try TestAuthority.shared.defective(.p384SignedDataLeaf)
        #expect(P384.Signing.PublicKey(p384.authority.signedDataChain.leaf.publicKey) != nil)
        #expect(try p384.signedData.header.algorithm == "ES384")
        let rsa = try TestAuthority.shared.defective(.rsaSignedDataLeaf)
        #expect(_RSA.Signing.PublicKey(rsa.authority.signedDataChain.leaf.publicKey) != nil)
        #expect(try rsa.signedData.header.algorithm == "RS256")
    }

    @Test func `an authority of the same name has other roots`() throws {
        let namesake = try CertificateAuthority(name: "Tests", now: .testStart)
        #expect(namesake.receiptChain.root.subject == TestAuthority.shared.authority.receiptChain.root.subject)
        #expect(namesake.rootsPEM != TestAuthority.shared.authority.rootsPEM)
    }

    @Test func `a receipt chain of the older generation is signed with SHA-1`() throws {
        let authority = try TestAuthority.shared.defective([], generation: .sha1).authority
        #expect(authority.receiptChain.certificates.allSatisfy { $0.signatureAlgorithm == .sha1WithRSAEncryption })
        #expect(authority.signedDataChain.certificates.allSatisfy { $0.signatureAlgorithm == .ecdsaWithSHA384 })
        #expect(try inspect(authority.receiptChain, at: .testStart) == Findings())
        #expect(authority.generation == .sha1)
        #expect(try CertificateAuthority(archive: authority.archive).generation == .sha1)
    }

    @Test func `leaf and intermediate say where to ask about them, the root does not`() throws {
        let url = "http://127.0.0.1:8/ocsp"
        let authority = try TestAuthority.shared.defective([], ocspURL: url).authority
        for chain in [authority.receiptChain, authority.signedDataChain] {
            for certificate in [chain.leaf, chain.intermediate] {
                let access = try #require(try certificate.extensions.authorityInformationAccess)
                #expect(access.map(\.location) == [.uniformResourceIdentifier(url)])
                #expect(access.map(\.method) == [.ocspServer])
            }
            #expect(try chain.root.extensions.authorityInformationAccess == nil)
        }
        #expect(try TestAuthority.shared.authority.receiptChain.leaf.extensions.authorityInformationAccess == nil)
    }
}
