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

    @Test func `an authority is restored from an archive with the same keys`() async throws {
        let archive = try authority.archive
        let restored = try CertificateAuthority(archive: archive)
        #expect(try restored.archive == archive)
        #expect(restored.rootsPEM == authority.rootsPEM)
        let receipt = try ReceiptIssuer(authority: restored).issue(.sample())
        _ = try await TestAuthority.shared.receiptVerifier().verify(receipt)
        let transaction = try SignedDataIssuer(authority: restored).sign(TransactionPayload.sample())
        _ = try await TestAuthority.shared.verifier().verify(transaction)
    }

    @Test func `an archive of an earlier version is restored without responders and transaction receipts`() throws {
        let archive = try authority.archive
        let parts = archive.components(separatedBy: "-----BEGIN ")
        #expect(parts.count == 19)
        let old = try CertificateAuthority(archive: parts.prefix(9).joined(separator: "-----BEGIN "))
        #expect(old.rootsPEM == authority.rootsPEM)
        #expect(try CertificateAuthority(archive: old.archive).archive == old.archive)
        #expect(throws: IssuingError.missingKey) { try OCSPResponder(authority: old) }
        #expect(throws: IssuingError.missingKey) { try TransactionReceiptIssuer(authority: old) }
        _ = try ReceiptIssuer(authority: old).issue(.sample())
        for count in (2...20).filter({ $0 != 9 && $0 != 19 }) {
            let text = parts.prefix(count).joined(separator: "-----BEGIN ") + (count == 20 ? "-----BEGIN \(parts[1])" : "")
            #expect(throws: IssuingError.invalidArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `responders and transaction receipts are restored from an archive`() throws {
        let restored = try CertificateAuthority(archive: authority.archive)
        #expect(restored.receiptResponders?.forLeaf.certificate == authority.receiptResponders?.forLeaf.certificate)
        #expect(
            restored.signedDataResponders?.forIntermediate.key.rawRepresentation
                == authority.signedDataResponders?.forIntermediate.key.rawRepresentation)
        #expect(restored.transactionReceipts?.certificate == authority.transactionReceipts?.certificate)
        _ = try OCSPResponder(authority: restored)
        _ = try TransactionReceiptIssuer(authority: restored)
    }

    @Test func `an Xcode authority is restored from an archive with the same keys`() async throws {
        let again = try XcodeAuthority(archive: TestAuthority.xcode.archive)
        let content = ReceiptContent.sample(environment: .xcode)
        let random = RandomBytes { count in [UInt8](repeating: 7, count: count) }
        let receipt = try ReceiptIssuer(xcode: again, random: random).issue(content)
        #expect(try receipt == ReceiptIssuer(xcode: TestAuthority.xcode, random: random).issue(content))
        #expect(try again.archive == TestAuthority.xcode.archive)
        let broken = try String(again.archive.dropLast(100))
        #expect(throws: IssuingError.invalidArchive) { try XcodeAuthority(archive: broken) }
    }

    @Test func `a damaged archive is refused`() throws {
        let archive = try authority.archive
        for text in [
            "", authority.rootsPEM, String(archive.dropLast(100)), archive + archive, archive.replacing("CERTIFICATE", with: "KEY"),
        ] {
            #expect(throws: IssuingError.invalidArchive) { try CertificateAuthority(archive: text) }
        }
    }

    @Test func `no certificate name contains Apple`() {
        for certificate in authority.receiptChain.certificates + authority.signedDataChain.certificates {
            #expect(certificate.subject.description.contains("Tillroll Local"))
            #expect(!certificate.subject.description.contains("Apple"))
        }
    }

    @Test func `certificates are valid for 20 years, from a year before the creation`() {
        for certificate in authority.receiptChain.certificates + authority.signedDataChain.certificates {
            #expect(Timestamp(certificate.notValidBefore) == .testStart.adding(days: -365))
            #expect(Timestamp(certificate.notValidAfter) == .testStart.adding(days: 19 * 365))
        }
    }
}
