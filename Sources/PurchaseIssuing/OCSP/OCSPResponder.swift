import Crypto
import Foundation
package import PurchaseModel
import SwiftASN1
import X509

/// An OCSP responder for the leaf and intermediate certificates of a certificate authority.
///
/// A response is signed by a responder that the issuer of the requested certificate authorizes, and that the response identifies by the
/// hash of its key.
package struct OCSPResponder: Sendable {
    /// The status of each leaf and intermediate; a certificate without an entry is ``CertificateStatus/good``.
    package var statuses: [AuthorityCertificate: CertificateStatus] = [:]
    /// The error with which the responder responds to every request; nil to respond with a status.
    package var errorStatus: OCSPErrorStatus?
    /// The anomalies of the responses; empty for correct responses.
    package var anomalies: OCSPAnomalies = []
    /// The time in seconds for which a response is valid; half a day by default, as for Apple's responses.
    package var lifetime: Int64 = 12 * 60 * 60

    private let issuers: [OCSPIssuer]

    /// Creates a responder that reports each certificate as good, except the leaf of ``SigningFault/revokedLeaf``.
    ///
    /// For an authority with one root, the initializer generates the keys of the responders, which takes a few milliseconds.
    ///
    /// - Throws: ``IssuingError/missingKey`` for an authority that was restored from an archive of an earlier version, which lacks the keys
    ///   of responders.
    package init(authority: CertificateAuthority) throws {
        issuers = try OCSPIssuer.all(of: authority)
    }

    /// Returns the OCSP response to a request, both in DER.
    ///
    /// A request that is malformed, or that concerns certificates of several issuers or of an unknown issuer, gets an error status.
    ///
    /// - Parameters:
    ///   - bytes: The OCSP request.
    ///   - now: The date of the response, which is the store's time. A client with a clock that differs from the store's time can refuse
    ///     the response.
    package func respond(to bytes: [UInt8], at now: Timestamp) throws -> [UInt8] {
        if let errorStatus { return BasicOCSPResponse.errorStatus(errorStatus) }
        guard let request = try? OCSPRequest(bytes) else { return BasicOCSPResponse.errorStatus(.malformedRequest) }
        let issuer = try issuers.first { issuer in
            try request.certificates.allSatisfy { try $0.isIssued(by: issuer.certificate) }
        }
        guard let issuer else { return BasicOCSPResponse.errorStatus(.unauthorized) }
        return try response(request, for: issuer, at: now)
    }

    private func response(_ request: OCSPRequest, for issuer: OCSPIssuer, at now: Timestamp) throws -> [UInt8] {
        let signer = try signer(for: issuer, at: now)
        let thisUpdate: Timestamp =
            if anomalies.contains(.stale) {
                now.adding(days: -1).adding(seconds: -lifetime)
            } else if anomalies.contains(.futureThisUpdate) {
                now.adding(days: 1)
            } else {
                now
            }
        let response = BasicOCSPResponse(
            statuses: request.certificates.map { certificate in
                let status = issuer.status(of: certificate.serialNumber, with: statuses)
                var subject = certificate
                if anomalies.contains(.otherCertificate), let last = subject.serialNumber.popLast() {
                    subject.serialNumber.append(last ^ 1)
                }
                return (subject, status)
            },
            thisUpdate: thisUpdate,
            nextUpdate: anomalies.contains(.noNextUpdate) ? nil : thisUpdate.adding(seconds: lifetime),
            producedAt: thisUpdate,
            nonce: nonce(request.nonce),
            responder: signer.certificate,
            isResponderByName: anomalies.contains(.responderByName)
        )
        return try response.signed(
            by: signer.key, certificates: anomalies.contains(.noCertificate) ? [] : [signer.certificate],
            hasInvalidSignature: anomalies.contains(.invalidSignature)
        )
    }

    private func nonce(_ requested: [UInt8]?) -> [UInt8]? {
        guard let requested, !anomalies.contains(.noNonce) else { return nil }
        // Changes the last byte, which belongs to the value of the nonce and not to its tag or length.
        return anomalies.contains(.wrongNonce) ? requested.dropLast() + [(requested.last ?? 0) ^ 1] : requested
    }

    private func signer(for issuer: OCSPIssuer, at now: Timestamp) throws -> (key: SigningKey, certificate: Certificate) {
        if anomalies.contains(.signedByLeaf) { return (issuer.leafKey, issuer.leaf) }
        guard anomalies.contains(.unknownResponder) else {
            return (.p256(issuer.responder.key), issuer.responder.certificate)
        }
        let builder = CertificateBuilder(purpose: "Unknown", owner: "Unknown", now: now, algorithm: .ecdsaWithSHA256)
        let unknownResponder = try ResponderIdentity(builder, for: issuer.certificate, key: .init(P256.Signing.PrivateKey()))
        return (.p256(unknownResponder.key), unknownResponder.certificate)
    }
}

extension OCSPResponder {
    /// Returns the OCSP request that the path of an HTTP GET request contains (RFC 6960, appendix A.1).
    ///
    /// - Parameter path: The part of the path after the responder's address and a slash, as received: base64, in which `/`, `+` and `=` may
    ///   be percent-encoded.
    /// - Returns: The decoded bytes; nil if the path is not base64. ``respond(to:at:)`` checks whether the bytes are an OCSP request.
    package static func request(inPath path: String) -> [UInt8]? {
        guard let text = path.removingPercentEncoding, let data = Data(base64Encoded: text), !data.isEmpty else { return nil }
        return Array(data)
    }
}
