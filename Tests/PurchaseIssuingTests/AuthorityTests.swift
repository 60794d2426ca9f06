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
