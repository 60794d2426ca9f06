import Crypto
import Foundation
import PurchaseModel
import SwiftASN1
import X509

/// The content of an OCSP response before signing and encoding (RFC 6960, section 4.2.1).
///
/// ```
/// SEQUENCE { ENUMERATED status, [0] SEQUENCE { OID basic, OCTET STRING SEQUENCE {
///   SEQUENCE {
///     [1] Name | [2] OCTET STRING key hash,
///     GeneralizedTime producedAt,
///     SEQUENCE OF SEQUENCE { CertID, status, GeneralizedTime thisUpdate, [0] GeneralizedTime nextUpdate },
///     [1] extensions
///   }
///   AlgorithmIdentifier, BIT STRING signature, [0] SEQUENCE OF Certificate
/// } } }
/// ```
struct BasicOCSPResponse {
    var statuses: [(certificate: OCSPCertificateID, status: CertificateStatus)]
    var thisUpdate: Timestamp
    var nextUpdate: Timestamp?
    var producedAt: Timestamp
    var nonce: [UInt8]?
    /// The certificate of the responder, whose subject or key hash identifies the responder in the response.
    var responder: Certificate
    var isResponderByName: Bool

    /// Encodes an OCSP response that contains only an error status, and is therefore not signed.
    static func errorStatus(_ errorStatus: OCSPErrorStatus) -> [UInt8] {
        ReceiptForm.element(0x30, enumerated(errorStatus.rawValue))
    }

    /// Signs and encodes the response.
    ///
    /// - Parameters:
    ///   - key: The key that signs the response.
    ///   - certificates: The certificates that the response includes; empty for none.
    ///   - hasInvalidSignature: Whether to invert a bit of the signature, so that verifiers must refuse the response.
    func signed(by key: SigningKey, certificates: [Certificate], hasInvalidSignature: Bool) throws -> [UInt8] {
        let data = try tbs()
        var (algorithm, signature) = try key.x509Signature(for: data)
        if hasInvalidSignature, let last = signature.popLast() { signature.append(last ^ 1) }
        var basic = try data + algorithm.derBytes + ASN1BitString(bytes: Array(signature)[...]).derBytes
        if !certificates.isEmpty {
            basic += try ReceiptForm.element(0xA0, ReceiptForm.element(0x30, certificates.flatMap { try $0.derBytes }))
        }
        let type: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 1]
        let octets = ReceiptForm.element(0x04, ReceiptForm.element(0x30, basic))
        let body = try ReceiptForm.element(0xA0, ReceiptForm.element(0x30, type.derBytes + octets))
        return ReceiptForm.element(0x30, Self.enumerated(0) + body)
    }

    private func tbs() throws -> [UInt8] {
        let identity =
            isResponderByName
            ? try ReceiptForm.element(0xA1, responder.subject.derBytes)
            : ReceiptForm.element(
                0xA2, ReceiptForm.element(0x04, Array(Insecure.SHA1.hash(data: responder.publicKey.subjectPublicKeyInfoBytes)))
            )
        var data = identity + Self.time(producedAt)
        data += try ReceiptForm.element(0x30, statuses.flatMap { try single($0.certificate, $0.status) })
        if let nonce {
            let value = try ReceiptForm.element(0x30, OCSPRequest.nonceIdentifier.derBytes + ReceiptForm.element(0x04, nonce))
            data += ReceiptForm.element(0xA1, ReceiptForm.element(0x30, value))
        }
        return ReceiptForm.element(0x30, data)
    }

    private func single(_ certificate: OCSPCertificateID, _ status: CertificateStatus) throws -> [UInt8] {
        var single = try certificate.derBytes
        switch status {
        case .good:
            single += [0x80, 0]
        case .revoked(let time, let reason):
            let reason = reason.map { ReceiptForm.element(0xA0, Self.enumerated($0.rawValue)) } ?? []
            single += ReceiptForm.element(0xA1, Self.time(time) + reason)
        case .unknown:
            single += [0x82, 0]
        }
        single += Self.time(thisUpdate)
        if let nextUpdate { single += ReceiptForm.element(0xA0, Self.time(nextUpdate)) }
        return ReceiptForm.element(0x30, single)
    }

    /// Returns the DER of an ENUMERATED, whose value must fit in one byte, as all enumerated values of OCSP do.
    private static func enumerated(_ number: Int) -> [UInt8] { [0x0A, 1, UInt8(truncatingIfNeeded: number)] }

    /// Returns the DER of a GeneralizedTime in whole seconds.
    private static func time(_ time: Timestamp) -> [UInt8] {
        let text = time.description.filter(\.isNumber) + "Z"
        return ReceiptForm.element(0x18, Array(text.utf8))
    }
}
