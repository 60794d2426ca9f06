import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

@Suite struct AuthorityTests {
    @Test func `an authority goes on from its archive with the same keys`() async throws {
        let archive = try TestAuthority.shared.authority.archive
        let revived = try CertificateAuthority(archive: archive)
        #expect(try revived.archive == archive)
        #expect(revived.rootsPEM == TestAuthority.shared.authority.rootsPEM)
        let receipt = try ReceiptIssuer(authority: revived).issue(.sample())
        _ = try await TestAuthority.shared.receiptVerifier().verify(receipt)
        let transaction = try SignedDataIssuer(authority: revived).sign(TransactionPayload.sample())
        _ = try await TestAuthority.shared.verifier().verify(transaction)
    }
}
