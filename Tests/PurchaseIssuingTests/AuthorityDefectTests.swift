import Crypto
import CryptoExtras
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests that each defect is in the expected certificates only.
@Suite struct AuthorityDefectTests {
    /// The defects of a chain, found by inspection of the certificates.
    private struct Findings: Equatable {
        var defects: AuthorityDefects = []
        /// The indexes of links with matching names and an invalid signature, counted from the leaf.
        var brokenLinks: [Int] = []
    }

    private func inspect(_ chain: SigningChain, at now: Timestamp) throws -> Findings {
        var found = Findings()
        func find(_ defect: AuthorityDefects, when isPresent: Bool) {
            if isPresent { found.defects.insert(defect) }
        }
        let (leaf, intermediate, root) = (chain.leaf, chain.intermediate, chain.root)
        let areSwapped = leaf.extensions[oid: Marker.intermediate] != nil && intermediate.extensions[oid: Marker.leaf] != nil
        find(.swappedMarkers, when: areSwapped)
        find(.leafWithoutMarker, when: leaf.extensions[oid: Marker.leaf] == nil && !areSwapped)
        find(.intermediateWithoutMarker, when: intermediate.extensions[oid: Marker.intermediate] == nil && !areSwapped)
        find(.expiredLeaf, when: leaf.notValidAfter < now.date)
        find(.notYetValidLeaf, when: leaf.notValidBefore > now.date)
        find(.expiredIntermediate, when: intermediate.notValidAfter < now.date)
        find(.expiredRoot, when: root.notValidAfter < now.date)
        find(.intermediateIsNotCA, when: try intermediate.extensions.basicConstraints == .notCertificateAuthority)
        find(.intermediateWithoutKeyCertSign, when: try intermediate.extensions.keyUsage?.keyCertSign != true)
        find(.leafWithoutDigitalSignature, when: try leaf.extensions.keyUsage?.digitalSignature != true)
        find(.rootPathLengthZero, when: try root.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        find(.unknownCriticalExtension, when: leaf.extensions.contains { $0.critical && $0.oid.description.contains("99999") })
        find(.rootNotSelfSigned, when: root.issuer != root.subject || !root.publicKey.isValidSignature(root.signature, for: root))
        find(.twoIntermediates, when: chain.certificates.count != 3)
        for (index, (subject, issuer)) in zip(chain.certificates, chain.certificates.dropFirst()).enumerated() {
            #expect(subject.issuer == issuer.subject)
            if !issuer.publicKey.isValidSignature(subject.signature, for: subject) { found.brokenLinks.append(index) }
        }
        find(.leafSignedByUnknownIssuer, when: found.brokenLinks == [0])
        find(.intermediateSignedByUnknownIssuer, when: found.brokenLinks == [1])
        return found
    }

    /// The defects that occur in both chains.
    private static let inBothChains: [AuthorityDefects] = [
        [], .leafWithoutMarker, .intermediateWithoutMarker, .swappedMarkers, .expiredLeaf, .notYetValidLeaf, .expiredIntermediate,
        .expiredRoot,
        .intermediateIsNotCA, .intermediateWithoutKeyCertSign, .leafWithoutDigitalSignature, .rootPathLengthZero, .unknownCriticalExtension,
        .leafSignedByUnknownIssuer, .intermediateSignedByUnknownIssuer, .rootNotSelfSigned, .twoIntermediates,
    ]

    @Test(arguments: inBothChains) func `a defect is in both chains, without other defects`(defects: AuthorityDefects) throws {
        let authority = try TestAuthority.shared.defective(defects).authority
        for chain in [authority.receiptChain, authority.signedDataChain] {
            #expect(try inspect(chain, at: .testStart).defects == defects)
        }
    }

    @Test func `with the wrong-key defect, the signing key does not match the leaf`() throws {
        let good = TestAuthority.shared.authority
        #expect(Certificate.PublicKey(good.receiptKey.publicKey) == good.receiptChain.leaf.publicKey)
        #expect(Certificate.PublicKey(good.signedDataKey.publicKey) == good.signedDataChain.leaf.publicKey)
        let authority = try TestAuthority.shared.defective(.wrongKey).authority
        #expect(Certificate.PublicKey(authority.receiptKey.publicKey) != authority.receiptChain.leaf.publicKey)
        #expect(Certificate.PublicKey(authority.signedDataKey.publicKey) != authority.signedDataChain.leaf.publicKey)
    }

    @Test func `the leaf for signed data can have keys of other types`() throws {
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

    @Test func `the leaf and the intermediate name an OCSP responder, and the root does not`() throws {
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
