import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests of a store's OCSP responses with the openssl command.
@Suite struct StoreOCSPTests {
    private let openssl: OpenSSL
    private let authority: CertificateAuthority
    private let responder: OCSPResponder
    /// The current time.
    ///
    /// The openssl command compares responses with the system clock.
    private let now = Timestamp(Date.now).wholeSeconds

    init() throws {
        openssl = try OpenSSL()
        authority = try TestStores.authority()
        responder = try OCSPResponder(authority: authority)
        try openssl.write(Array(authority.rootsPEM.utf8), to: "root.pem")
        try openssl.write(authority.receiptChain.intermediate, authority.signedDataChain.intermediate, to: "intermediates.pem")
    }

    /// Sends a request of the openssl command for a certificate, and returns the output of openssl for the response.
    private func query(about certificate: [UInt8], of issuer: Certificate, at now: Timestamp? = nil) throws -> String {
        let pem = PEMDocument(type: Certificate.defaultPEMDiscriminator, derBytes: certificate).pemString
        try openssl.write(Array(pem.utf8), to: "certificate.pem")
        try openssl.write(issuer, to: "issuer.pem")
        let request = try openssl.run(
            "ocsp", "-sha256", "-issuer", "issuer.pem", "-cert", "certificate.pem", "-reqout", "request", "-no_nonce"
        )
        #expect(request.isSuccess)
        try openssl.write(responder.respond(to: openssl.read("request"), at: now ?? self.now), to: "answer")
        return try openssl.run(
            "ocsp", "-no_nonce", "-respin", "answer", "-sha256", "-issuer", "issuer.pem", "-cert", "certificate.pem", "-CAfile",
            "root.pem", "-verify_other", "intermediates.pem", "-resp_text"
        ).text
    }

    private func isGood(_ text: String) -> Bool {
        text.contains("Response verify OK") && text.contains("certificate.pem: good") && !text.contains("Responder Id: CN")
    }

    @Test func `every certificate of the authority is good`() throws {
        for chain in [authority.receiptChain, authority.signedDataChain] {
            #expect(isGood(try query(about: chain.leaf.derBytes, of: chain.intermediate)))
            #expect(isGood(try query(about: chain.intermediate.derBytes, of: chain.root)))
        }
        let root = authority.signedDataChain.root
        #expect(isGood(try query(about: #require(authority.transactionReceipts?.certificate), of: root)))
        let tls = try Certificate(pemEncoded: authority.tlsIdentity(for: ["localhost"], now: now).certificateChainPEM)
        #expect(isGood(try query(about: tls.derBytes, of: root)))
    }

    @Test func `only the leaf of the revoked-leaf fault has the status revoked`() throws {
        for fault in SigningFault.allCases where fault != .wrongRoot {
            for chain in [
                try authority.signedDataChain(with: fault, now: now), try authority.receiptChain(with: fault, now: now),
            ] {
                let leaf = try query(about: chain.leaf.derBytes, of: chain.intermediate)
                #expect(leaf.contains("Response verify OK"))
                #expect(leaf.contains("certificate.pem: \(fault == .revokedLeaf ? "revoked" : "good")"), "\(fault)")
                #expect(leaf.contains("Reason: keyCompromise") == (fault == .revokedLeaf))
                #expect(isGood(try query(about: chain.intermediate.derBytes, of: chain.root)), "\(fault)")
            }
        }
    }

    @Test func `a responder of a restored authority has the same statuses`() throws {
        let chain = try CertificateAuthority(archive: authority.archive).signedDataChain(with: .revokedLeaf, now: now)
        #expect(try query(about: chain.leaf.derBytes, of: chain.intermediate).contains("certificate.pem: revoked"))
    }

    @Test func `the responder refuses requests about certificates of other stores`() throws {
        let other = try TestStores.authority()
        let (ours, theirs) = (authority.signedDataChain, other.signedDataChain)
        #expect(try query(about: theirs.leaf.derBytes, of: theirs.intermediate).contains("Responder Error: unauthorized"))
        let parsedRequest = try OCSPRequest(openssl.read("request"))
        #expect(try parsedRequest.certificates.contains { try $0.isIssued(by: theirs.intermediate) })
        // Openssl reads the issuer and the serial number from a certificate. An unknown serial number needs a certificate of this store.
        let unknownLeaf = try #require(authority.store).builder(.signedData).leaf(
            for: ours.leaf.publicKey, by: #require(authority.store).signedDataIssuer, defects: [], ocspURL: nil
        )
        #expect(try query(about: unknownLeaf.derBytes, of: ours.intermediate).contains("certificate.pem: unknown"))
    }

    @Test func `the dates of a response are in the store's time`() throws {
        let text = try query(about: authority.signedDataChain.leaf.derBytes, of: authority.signedDataChain.intermediate, at: .testStart)
        #expect(text.contains("This Update: Jan 31 12:34:56 2025 GMT") && text.contains("Produced At: Jan 31 12:34:56 2025 GMT"))
        #expect(text.contains("status expired"))
    }

    @Test func `a request can be in the path of the URL`() throws {
        let request: [UInt8] = [0xFB, 0xFF, 0xFE, 0x00]
        for path in ["+//+AA==", "%2B%2F%2F%2BAA%3D%3D"] { #expect(OCSPResponder.request(inPath: path) == request) }
        for path in ["", "%", "%ZZ", "no base64"] { #expect(OCSPResponder.request(inPath: path) == nil) }
    }
}
