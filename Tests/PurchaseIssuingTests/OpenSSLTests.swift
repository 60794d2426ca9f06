import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing

/// Tests of issued receipts with the openssl command.
@Suite struct OpenSSLTests {
    private let openssl: OpenSSL
    private let payload: [UInt8]

    init() throws {
        openssl = try OpenSSL()
        payload = try TestAuthority.shared.receipts.payload(of: .sample())
    }

    private func accepts(_ receipt: [UInt8], under roots: String = TestAuthority.shared.authority.rootsPEM) throws -> Bool {
        try openssl.write(receipt, to: "receipt")
        try openssl.write(Array(roots.utf8), to: "root.pem")
        let seconds = Timestamp.testStart.milliseconds / 1000
        // Without `-purpose`, openssl requires a certificate for mail, which a receipt signer is not.
        return try openssl.run(
            "cms", "-verify", "-binary", "-inform", "DER", "-in", "receipt", "-CAfile", "root.pem", "-attime", "\(seconds)",
            "-purpose", "any", "-out", "payload"
        ).isSuccess
    }

    @Test func `openssl accepts a receipt under the authority's root`() throws {
        #expect(try accepts(TestAuthority.shared.receipts.sign(payload)))
        #expect(try openssl.read("payload") == payload)
    }

    @Test(arguments: ReceiptDigest.allCases) func `openssl accepts a receipt with any digest`(digest: ReceiptDigest) throws {
        let issuer = ReceiptIssuer(authority: TestAuthority.shared.authority, digest: digest)
        #expect(try accepts(issuer.sign(payload)))
        #expect(try openssl.read("payload") == payload)
    }

    @Test func `openssl accepts a receipt that uses SHA-1 only`() throws {
        let authority = try TestAuthority.shared.defective([], generation: .sha1)
        let receipt = try authority.receipts.sign(payload)
        #expect(try accepts(receipt, under: authority.authority.rootsPEM))
        try openssl.write(authority.authority.receiptChain.leaf, to: "leaf.pem")
        #expect(try openssl.run("x509", "-in", "leaf.pem", "-noout", "-text").text.contains("sha1WithRSAEncryption"))
        let structure = try openssl.run("asn1parse", "-inform", "DER", "-in", "receipt").text
        #expect(structure.contains(":sha1") && !structure.contains("sha256"))
    }

    @Test func `openssl accepts an Xcode receipt under Xcode's certificate`() throws {
        let issuer = ReceiptIssuer(xcode: TestAuthority.xcode)
        let payload = try issuer.payload(of: .sample(environment: .xcode))
        #expect(try accepts(issuer.sign(payload), under: TestAuthority.xcode.receiptCertificatePEM))
        #expect(try openssl.read("payload") == payload)
        #expect(try !accepts(issuer.sign(payload)))
    }

    @Test func `openssl accepts signed attributes, which receipts lack`() throws {
        let issuer = TestAuthority.shared.receipts
        var container = try issuer.container(for: payload)
        container.signers = [try issuer.signerInfo(of: payload, hasAttributes: true)]
        #expect(try accepts(container.encoded))
        container.signers[0].signature = try issuer.signerInfo(of: payload).signature
        #expect(try !accepts(container.encoded))
    }

    @Test func `openssl refuses changed receipts and receipts of another root`() throws {
        var receipt = try TestAuthority.shared.receipts.sign(payload)
        #expect(try !accepts(receipt, under: TestAuthority.other.authority.rootsPEM))
        receipt[receipt.count - 1] ^= 1
        #expect(try !accepts(receipt))
    }

    @Test(arguments: [
        AuthorityDefects.expiredLeaf, .notYetValidLeaf, .expiredIntermediate, .expiredRoot, .intermediateIsNotCA,
        .intermediateWithoutKeyCertSign, .rootPathLengthZero, .unknownCriticalExtension, .wrongKey, .leafSignedByUnknownIssuer,
        .intermediateSignedByUnknownIssuer,
        .rootNotSelfSigned,
    ])
    func `openssl refuses a receipt of a defective authority`(defects: AuthorityDefects) throws {
        let authority = try TestAuthority.shared.defective(defects)
        #expect(try !accepts(authority.receipts.sign(payload), under: authority.authority.rootsPEM))
    }

    @Test(arguments: [AuthorityDefects.leafWithoutMarker, .intermediateWithoutMarker, .swappedMarkers, .twoIntermediates])
    func `openssl accepts receipts with defects that only Apple's rules forbid`(defects: AuthorityDefects) throws {
        let authority = try TestAuthority.shared.defective(defects)
        #expect(try accepts(authority.receipts.sign(payload), under: authority.authority.rootsPEM))
    }
}
