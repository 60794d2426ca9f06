import Foundation
import PurchaseModel
import PurchaseTestSupport
import SwiftASN1
import Testing
import X509

@testable import PurchaseIssuing

/// Tests of OCSP responses with the openssl command.
@Suite struct OCSPResponderTests {
    private let openssl: OpenSSL
    private let authority = TestAuthority.shared.authority
    private var responder: OCSPResponder
    /// The current time.
    ///
    /// The openssl command compares responses with the system clock, and the test authority is valid for 19 years.
    private let now = Timestamp(Date.now).wholeSeconds

    init() throws {
        openssl = try OpenSSL()
        responder = try OCSPResponder(authority: TestAuthority.shared.authority)
    }

    private func pair(_ subject: AuthorityCertificate) -> (certificate: Certificate, issuer: Certificate) {
        let (receipts, data) = (authority.receiptChain, authority.signedDataChain)
        return switch subject {
        case .receiptLeaf: (receipts.leaf, receipts.intermediate)
        case .receiptIntermediate: (receipts.intermediate, receipts.root)
        case .signedDataLeaf: (data.leaf, data.intermediate)
        case .signedDataIntermediate: (data.intermediate, data.root)
        }
    }

    /// Sends a request of the openssl command to `responder`, and returns the output of openssl for the response.
    private func query(
        _ responder: OCSPResponder, about subject: AuthorityCertificate = .signedDataLeaf, digest: String = "-sha1"
    ) throws -> String {
        let (certificate, issuer) = pair(subject)
        try openssl.write(certificate, to: "certificate.pem")
        try openssl.write(issuer, to: "issuer.pem")
        try openssl.write(authority.receiptChain.intermediate, authority.signedDataChain.intermediate, to: "intermediates.pem")
        try openssl.write(Array(authority.rootsPEM.utf8), to: "roots.pem")
        #expect(
            try openssl.run("ocsp", digest, "-issuer", "issuer.pem", "-cert", "certificate.pem", "-reqout", "request").isSuccess
        )
        try openssl.write(responder.respond(to: openssl.read("request"), at: now), to: "answer")
        // Openssl checks the nonce against a request or the status of a certificate, but not both in one run.
        let nonce = try openssl.run(
            "ocsp", "-reqin", "request", "-respin", "answer", "-CAfile", "roots.pem", "-verify_other", "intermediates.pem"
        )
        let status = try openssl.run(
            "ocsp", "-no_nonce", "-respin", "answer", digest, "-issuer", "issuer.pem", "-cert", "certificate.pem", "-CAfile",
            "roots.pem", "-verify_other", "intermediates.pem", "-resp_text"
        )
        return nonce.text + status.text
    }

    @Test(arguments: AuthorityCertificate.allCases, ["-sha1", "-sha256"])
    func `openssl accepts the status of a good certificate`(subject: AuthorityCertificate, digest: String) throws {
        let text = try query(responder, about: subject, digest: digest)
        #expect(text.contains("Response verify OK"))
        #expect(text.contains("certificate.pem: good"))
        #expect(text.contains("Responder Id: ") && !text.contains("Responder Id: CN"))
        #expect(!text.contains("nonce in response") && !text.contains("Nonce Verify error"))
        #expect(!text.contains("Status times invalid"))
    }

    @Test(arguments: AuthorityCertificate.allCases)
    func `openssl accepts the status of a revoked certificate with date and reason`(subject: AuthorityCertificate) throws {
        var responder = responder
        responder.statuses[subject] = .revoked(at: .testStart, reason: .keyCompromise)
        let text = try query(responder, about: subject)
        #expect(text.contains("Response verify OK"))
        #expect(text.contains("certificate.pem: revoked"))
        #expect(text.contains("Reason: keyCompromise"))
        #expect(text.contains("Revocation Time: Jan 31 12:34:56 2025 GMT"))
        let others = AuthorityCertificate.allCases.filter { $0 != subject }
        for other in others { #expect(try query(responder, about: other).contains("certificate.pem: good")) }
    }

    @Test func `a revocation needs no reason`() throws {
        var responder = responder
        responder.statuses[.signedDataLeaf] = .revoked(at: .testStart, reason: nil)
        let text = try query(responder)
        #expect(text.contains("certificate.pem: revoked") && !text.contains("Reason:"))
    }

    @Test func `a status can be unknown`() throws {
        var responder = responder
        responder.statuses[.signedDataLeaf] = .unknown
        #expect(try query(responder).contains("certificate.pem: unknown"))
    }

    @Test(arguments: [
        (OCSPErrorStatus.malformedRequest, "malformedrequest"), (.internalError, "internalerror"), (.tryLater, "trylater"),
        (.signatureRequired, "sigrequired"), (.unauthorized, "unauthorized"),
    ])
    func `a responder can return an error status`(errorStatus: OCSPErrorStatus, name: String) throws {
        var responder = responder
        responder.errorStatus = errorStatus
        #expect(try query(responder).contains("Responder Error: \(name)"))
    }

    @Test(arguments: [
        (OCSPAnomalies.stale, "status expired"), (.futureThisUpdate, "status not yet valid"), (.otherCertificate, "No Status found"),
        (.unknownResponder, "Response Verify Failure"), (.signedByLeaf, "Response Verify Failure"),
        (.invalidSignature, "Response Verify Failure"), (.noCertificate, "Response Verify Failure"),
        (.wrongNonce, "Nonce Verify error"),
    ])
    func `openssl reports each anomaly of a response`(anomalies: OCSPAnomalies, message: String) throws {
        var responder = responder
        responder.anomalies = anomalies
        for subject in [AuthorityCertificate.receiptLeaf, .signedDataIntermediate] {
            #expect(try query(responder, about: subject).contains(message))
        }
    }

    @Test(arguments: [
        (OCSPAnomalies.noNextUpdate, "Next Update:", false), (.responderByName, "Responder Id: CN", true),
        (.noNonce, "no nonce in response", true),
    ])
    func `openssl accepts an unusual valid response`(anomalies: OCSPAnomalies, mark: String, isPresent: Bool) throws {
        #expect(try query(responder).contains(mark) != isPresent)
        var responder = responder
        responder.anomalies = anomalies
        let text = try query(responder)
        #expect(text.contains(mark) == isPresent)
        #expect(text.contains("Response verify OK") && text.contains("certificate.pem: good"))
    }

    @Test func `a truncated request is refused as malformed`() throws {
        let request = Array(try request())
        for length in 0..<request.count {
            let answer = try responder.respond(to: Array(request.prefix(length)), at: now)
            #expect(answer == [0x30, 0x03, 0x0A, 0x01, 0x01], "\(length) bytes")
        }
        #expect(try responder.respond(to: request, at: now).count > 200)
    }

    @Test func `a responder refuses requests for certificates of another authority`() throws {
        let foreignResponder = try OCSPResponder(authority: TestAuthority.other.authority)
        #expect(try foreignResponder.respond(to: request(), at: now) == [0x30, 0x03, 0x0A, 0x01, 0x06])
    }

    @Test func `the responder's certificate is marked for OCSP signing`() throws {
        for responders in [authority.receiptResponders, authority.signedDataResponders] {
            for identity in [try #require(responders).forLeaf, try #require(responders).forIntermediate] {
                #expect(try identity.certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.ocspSigning]))
                #expect(identity.certificate.extensions[oid: [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]]?.value == [0x05, 0x00])
            }
        }
    }

    private func request() throws -> [UInt8] {
        let (certificate, issuer) = pair(.receiptLeaf)
        try openssl.write(certificate, to: "certificate.pem")
        try openssl.write(issuer, to: "issuer.pem")
        _ = try openssl.run("ocsp", "-issuer", "issuer.pem", "-cert", "certificate.pem", "-reqout", "request")
        return try openssl.read("request")
    }
}
