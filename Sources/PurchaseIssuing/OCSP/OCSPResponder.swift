import Crypto
import Foundation
package import PurchaseModel
import SwiftASN1
import X509

/// Responds with the revocation status of an authority's leaves and intermediates.
///
/// Each response is signed by the authorized responder of the certificate's issuer, which is identified by the hash of its key.
package struct OCSPResponder: Sendable {
    /// The status of each certificate; ``CertificateStatus/good`` by default.
    package var statuses: [AuthorityCertificate: CertificateStatus] = [:]
    /// The error for every request instead of a status.
    package var refusal: OCSPRefusal?
    /// Anomalies of the responses; none for a good responder.
    package var anomalies: OCSPAnomalies = []
    /// The validity of a response in seconds; half a day, like Apple's.
    package var lifetime: Int64 = 12 * 60 * 60

    private let issuers: [OCSPIssuer]

    /// Creates a responder that reports each certificate as good, except the leaf of ``SigningFault/revokedLeaf``.
    ///
    /// For an authority with one root it generates responder keys, which takes a few milliseconds; each response costs one signature.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority from an archive of an earlier version.
    package init(authority: CertificateAuthority) throws {
        issuers = try OCSPIssuer.all(of: authority)
    }

    /// The response to a request, both as DER.
    ///
    /// The response is dated `now`, the store's time; a client that compares the date with its own clock requires the store's time to be
    /// the client's time. A request that is malformed, or that concerns certificates of several issuers or of an unknown issuer, gets an
    /// error status.
    package func respond(to bytes: [UInt8], at now: Timestamp) throws -> [UInt8] {
        if let refusal { return OCSPAnswer.refusal(refusal) }
        guard let request = try? OCSPRequest(bytes) else { return OCSPAnswer.refusal(.malformedRequest) }
        let issuer = try issuers.first { issuer in
            try request.certificates.allSatisfy { try $0.isIssued(by: issuer.certificate) }
        }
        guard let issuer else { return OCSPAnswer.refusal(.unauthorized) }
        return try answer(request, for: issuer, at: now)
    }

    private func answer(_ request: OCSPRequest, for issuer: OCSPIssuer, at now: Timestamp) throws -> [UInt8] {
        let signer = try signer(for: issuer, at: now)
        let thisUpdate: Timestamp =
            if anomalies.contains(.stale) {
                now.adding(days: -1).adding(seconds: -lifetime)
            } else if anomalies.contains(.fromTheFuture) {
                now.adding(days: 1)
            } else {
                now
            }
        let answer = OCSPAnswer(
            statuses: request.certificates.map { certificate in
                let status = issuer.status(of: certificate.serialNumber, with: statuses)
                var subject = certificate
                if anomalies.contains(.aboutAnother), let last = subject.serialNumber.popLast() { subject.serialNumber.append(last ^ 1) }
                return (subject, status)
            },
            thisUpdate: thisUpdate,
            nextUpdate: anomalies.contains(.noNextUpdate) ? nil : thisUpdate.adding(seconds: lifetime),
            producedAt: thisUpdate,
            nonce: nonce(request.nonce),
            responder: signer.certificate,
            isNamed: anomalies.contains(.namedResponder)
        )
        return try answer.signed(
            by: signer.key, certificates: anomalies.contains(.noCertificate) ? [] : [signer.certificate],
            isDamaged: anomalies.contains(.damagedSignature)
        )
    }

    private func nonce(_ asked: [UInt8]?) -> [UInt8]? {
        guard let asked, !anomalies.contains(.noNonce) else { return nil }
        // The last byte belongs to the nonce itself, and not to the nonce's tag and length.
        return anomalies.contains(.otherNonce) ? asked.dropLast() + [(asked.last ?? 0) ^ 1] : asked
    }

    private func signer(for issuer: OCSPIssuer, at now: Timestamp) throws -> (key: SigningKey, certificate: Certificate) {
        if anomalies.contains(.leafsSignature) { return (issuer.leafKey, issuer.leaf) }
        guard anomalies.contains(.strangersSignature) else {
            return (.p256(issuer.responder.key), issuer.responder.certificate)
        }
        let maker = CertificateMaker(purpose: "Stranger's", owner: "Strangers", now: now, algorithm: .ecdsaWithSHA256)
        let stranger = try ResponderIdentity(maker, for: issuer.certificate, key: .init(P256.Signing.PrivateKey()))
        return (.p256(stranger.key), stranger.certificate)
    }
}
