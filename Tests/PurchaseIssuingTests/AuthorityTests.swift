import Crypto
import Foundation
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing
import X509

@testable import PurchaseIssuing

@Suite struct AuthorityTests {
    private let authority = TestAuthority.shared.authority

    @Test func `an authority goes on from its archive with the same keys`() async throws {
        let archive = try authority.archive
        let revived = try CertificateAuthority(archive: archive)
        #expect(try revived.archive == archive)
        #expect(revived.rootsPEM == authority.rootsPEM)
        let receipt = try ReceiptIssuer(authority: revived).issue(.sample())
        _ = try await TestAuthority.shared.receiptVerifier().verify(receipt)
        let transaction = try SignedDataIssuer(authority: revived).sign(TransactionPayload.sample())
        _ = try await TestAuthority.shared.verifier().verify(transaction)
    }

    @Test func `an archive of an earlier version goes on without what it lacks`() throws {
        let archive = try authority.archive
        let parts = archive.components(separatedBy: "-----BEGIN ")
        #expect(parts.count == 19)
        let old = try CertificateAuthority(archive: parts.prefix(9).joined(separator: "-----BEGIN "))
        #expect(old.rootsPEM == authority.rootsPEM)
        #expect(try CertificateAuthority(archive: old.archive).archive == old.archive)
        #expect(throws: IssuingError.noKey) { try OCSPResponder(authority: old) }
        #expect(throws: IssuingError.noKey) { try TransactionReceiptIssuer(authority: old) }
        _ = try ReceiptIssuer(authority: old).issue(.sample())
        for count in (2...20).filter({ $0 != 9 && $0 != 19 }) {
            let text = parts.prefix(count).joined(separator: "-----BEGIN ") + (count == 20 ? "-----BEGIN \(parts[1])" : "")
            #expect(throws: IssuingError.notAnArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `responders and transaction receipts go on from an archive too`() throws {
        let revived = try CertificateAuthority(archive: authority.archive)
        #expect(revived.receiptResponders?.forLeaf.certificate == authority.receiptResponders?.forLeaf.certificate)
        #expect(
            revived.signedDataResponders?.forIntermediate.key.rawRepresentation
                == authority.signedDataResponders?.forIntermediate.key.rawRepresentation)
        #expect(revived.transactionReceipts?.certificate == authority.transactionReceipts?.certificate)
        _ = try OCSPResponder(authority: revived)
        _ = try TransactionReceiptIssuer(authority: revived)
    }

    @Test func `an authority of Xcode's form goes on from its archive with the same keys`() async throws {
        let again = try XcodeAuthority(archive: TestAuthority.xcode.archive)
        let content = ReceiptContent.sample(environment: .xcode)
        let random = RandomBytes { count in [UInt8](repeating: 7, count: count) }
        let receipt = try ReceiptIssuer(xcode: again, random: random).issue(content)
        #expect(try receipt == ReceiptIssuer(xcode: TestAuthority.xcode, random: random).issue(content))
        #expect(try again.archive == TestAuthority.xcode.archive)
        let broken = try String(again.archive.dropLast(100))
        #expect(throws: IssuingError.notAnArchive) { try XcodeAuthority(archive: broken) }
    }

    @Test func `an archive that is damaged is refused`() throws {
        let archive = try authority.archive
        for text in [
            "", authority.rootsPEM, String(archive.dropLast(100)), archive + archive, archive.replacing("CERTIFICATE", with: "KEY"),
        ] {
            #expect(throws: IssuingError.notAnArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `no name claims to be Apple`() {
        for certificate in authority.receiptChain.certificates + authority.signedDataChain.certificates {
            #expect(certificate.subject.description.contains("Tillroll Local"))
            #expect(!certificate.subject.description.contains("Apple"))
        }
    }

    @Test func `certificates are good from a year before for twenty years`() {
        for certificate in authority.receiptChain.certificates + authority.signedDataChain.certificates {
            #expect(Timestamp(certificate.notValidBefore) == .testStart.adding(days: -365))
            #expect(Timestamp(certificate.notValidAfter) == .testStart.adding(days: 19 * 365))
        }
    }
}
