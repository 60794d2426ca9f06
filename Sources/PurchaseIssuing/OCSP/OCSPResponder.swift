import Crypto
import Foundation
package import PurchaseModel
import SwiftASN1
import X509

/// Answers whether an authority's leaves and intermediates were revoked.
///
/// Each answer is signed by whom the certificate's issuer appointed, who is identified by the hash of the key.
package struct OCSPResponder: Sendable {
    /// What is answered about a certificate; ``CertificateStatus/good`` unless set.
    package var statuses: [AuthorityCertificate: CertificateStatus] = [:]
    /// The answer to every request instead of a status.
    package var refusal: OCSPRefusal?
    /// What answers have to be different; nothing for a good responder.
    package var oddities: OCSPOddities = []
    /// How many seconds an answer is good for; half a day, as Apple's.
    package var lifetime: Int64 = 12 * 60 * 60

    private let issuers: [Issuer]

    /// Who issued certificates of the authority, and who answers for it.
    private struct Issuer {
        let certificate: Certificate
        let responder: ResponderIdentity
        /// The certificate that it issued.
        let issued: AuthorityCertificate
        let serialNumber: [UInt8]
        /// The leaf of the same chain.
        let leaf: Certificate
        let leafKey: SigningKey
    }

    /// Creates a responder that says of every certificate that it is good.
    ///
    /// - Throws: ``IssuingError/noKey`` for an authority from an archive of an earlier version.
    package init(authority: CertificateAuthority) throws(IssuingError) {
        guard let receipts = authority.receiptResponders, let signedData = authority.signedDataResponders else { throw .noKey }
        func issuers(
            _ chain: SigningChain, _ responders: ChainResponders, _ key: SigningKey, _ leaf: AuthorityCertificate,
            _ intermediate: AuthorityCertificate
        ) -> [Issuer] {
            [
                Issuer(
                    certificate: chain.intermediate, responder: responders.forLeaf, issued: leaf,
                    serialNumber: Array(chain.leaf.serialNumber.bytes), leaf: chain.leaf, leafKey: key
                ),
                Issuer(
                    certificate: chain.root, responder: responders.forIntermediate, issued: intermediate,
                    serialNumber: Array(chain.intermediate.serialNumber.bytes), leaf: chain.leaf, leafKey: key
                ),
            ]
        }
        self.issuers =
            issuers(authority.receiptChain, receipts, .rsa(authority.receiptKey), .receiptLeaf, .receiptIntermediate)
            + issuers(authority.signedDataChain, signedData, authority.signedDataSigner, .signedDataLeaf, .signedDataIntermediate)
    }

    /// The answer to a request, both in DER.
    ///
    /// A request that can't be read, or asks about certificates of more than one issuer or of a strange one, gets a refusal.
    package func respond(to request: [UInt8], at now: Timestamp) throws -> [UInt8] {
        if let refusal { return OCSPAnswer.refusal(refusal) }
        guard let question = try? OCSPQuestion(request) else { return OCSPAnswer.refusal(.malformedRequest) }
        let issuer = try issuers.first { issuer in
            try question.certificates.allSatisfy { try $0.isIssued(by: issuer.certificate) }
        }
        guard let issuer else { return OCSPAnswer.refusal(.unauthorized) }
        return try answer(question, for: issuer, at: now)
    }

    private func answer(_ question: OCSPQuestion, for issuer: Issuer, at now: Timestamp) throws -> [UInt8] {
        let signer = try signer(for: issuer, at: now)
        let thisUpdate: Timestamp =
            if oddities.contains(.stale) {
                now.adding(days: -1).adding(seconds: -lifetime)
            } else if oddities.contains(.fromTheFuture) {
                now.adding(days: 1)
            } else {
                now
            }
        let answer = OCSPAnswer(
            statuses: question.certificates.map { certificate in
                let isOurs = certificate.serialNumber == issuer.serialNumber
                var subject = certificate
                if oddities.contains(.aboutAnother), let last = subject.serialNumber.popLast() { subject.serialNumber.append(last ^ 1) }
                return (subject, isOurs ? statuses[issuer.issued] ?? .good : .unknown)
            },
            thisUpdate: thisUpdate,
            nextUpdate: oddities.contains(.noNextUpdate) ? nil : thisUpdate.adding(seconds: lifetime),
            producedAt: thisUpdate,
            nonce: nonce(question.nonce),
            responder: signer.certificate,
            isNamed: oddities.contains(.namedResponder)
        )
        return try answer.signed(
            by: signer.key, certificates: oddities.contains(.noCertificate) ? [] : [signer.certificate],
            isDamaged: oddities.contains(.damagedSignature)
        )
    }

    private func nonce(_ asked: [UInt8]?) -> [UInt8]? {
        guard let asked, !oddities.contains(.noNonce) else { return nil }
        // The last byte lies in the nonce itself, not in the tag and length before it.
        return oddities.contains(.otherNonce) ? asked.dropLast() + [(asked.last ?? 0) ^ 1] : asked
    }

    private func signer(for issuer: Issuer, at now: Timestamp) throws -> (key: SigningKey, certificate: Certificate) {
        if oddities.contains(.leafsSignature) { return (issuer.leafKey, issuer.leaf) }
        guard oddities.contains(.strangersSignature) else {
            return (.p256(issuer.responder.key), issuer.responder.certificate)
        }
        let maker = CertificateMaker(purpose: "Stranger's", owner: "Strangers", now: now, algorithm: .ecdsaWithSHA256)
        let stranger = try ResponderIdentity(maker, for: issuer.certificate, key: .init(P256.Signing.PrivateKey()))
        return (.p256(stranger.key), stranger.certificate)
    }
}
