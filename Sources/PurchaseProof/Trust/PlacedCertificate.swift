import PurchaseModel
import SwiftASN1
import X509

/// A certificate as it came: read, not believed.
struct PlacedCertificate: Sendable {
    /// What the certificate library reads in it.
    let certificate: Certificate
    /// Its bytes.
    let encoded: [UInt8]
    /// The issuer's name in DER, as it stands in the certificate.
    let issuer: [UInt8]
    /// The content of the INTEGER that is its serial number.
    let serial: [UInt8]
    /// Where it lies in the data, such as `header.x5c[1]`.
    let place: String

    /// Reads a certificate in DER.
    ///
    /// What a stranger could vary without breaking the issuer's signature is refused, so that one certificate has one spelling:
    /// padding bits at the end of the signature, and an outer name of its algorithm other than the one that is signed. (RFC 5280,
    /// 4.1.1.2, wants them to be equal; the certificate library does not compare them.) Only ECDSA signatures keep two spellings,
    /// `s` and `n − s`, because the certificates of honest issuers have either.
    init(_ encoded: [UInt8], at place: String) throws(Refusal) {
        do {
            let node = try DER.parse(encoded)
            certificate = try Certificate(derEncoded: node)
            (issuer, serial) = try DER.sequence(node, identifier: .sequence) { parts in
                guard let signed = parts.next(), let algorithm = parts.next(), let signature = parts.next(),
                    case .primitive(let bits) = signature.content, bits.first == 0
                else { throw CertificateFault.malleable }
                return try DER.sequence(signed, identifier: .sequence) { fields in
                    var field = fields.next()
                    if field?.identifier == .context(0) { field = fields.next() }
                    guard let serial = field, case .primitive(let number) = serial.content, let signedAlgorithm = fields.next(),
                        signedAlgorithm.encodedBytes == algorithm.encodedBytes, let issuer = fields.next()
                    else { throw CertificateFault.malleable }
                    while fields.next() != nil {}
                    return (Array(issuer.encodedBytes), Array(number))
                }
            }
        } catch {
            throw Refusal(.malformed, at: place, "It is not a certificate in DER, or not in its only spelling.")
        }
        self.encoded = encoded
        self.place = place
    }

    /// Takes over a certificate that was read before, at another place.
    init(_ other: PlacedCertificate, at place: String) {
        certificate = other.certificate
        encoded = other.encoded
        issuer = other.issuer
        serial = other.serial
        self.place = place
    }

    /// Whether this one is named as the issuer of another.
    func isNamed(asIssuerOf other: PlacedCertificate) -> Bool {
        certificate.subject == other.certificate.issuer
    }

    /// Whether this one's key signed another.
    func signed(_ other: PlacedCertificate) -> Bool {
        certificate.publicKey.isValidSignature(other.certificate.signature, for: other.certificate)
    }

    /// The time within which it is valid, in whole seconds, both ends included.
    var validity: (start: Timestamp, end: Timestamp) {
        (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
    }

    private enum CertificateFault: Error {
        case malleable
    }
}
