import PurchaseModel
import SwiftASN1
import X509

/// A certificate of the data: parsed, and not verified.
struct ParsedCertificate: Sendable {
    /// The certificate as the certificate library parses it.
    let certificate: Certificate
    /// The certificate as DER.
    let encoded: [UInt8]
    /// The issuer's name as DER.
    let issuer: [UInt8]
    /// The content octets of the serial number.
    let serial: [UInt8]
    /// The place in the data, such as `header.x5c[1]`.
    let place: String

    /// Parses a certificate as DER.
    ///
    /// Everything that can change without invalidating the issuer's signature is refused, so that a certificate has one encoding:
    /// padding bits at the end of the signature, and an outer algorithm identifier that differs from the signed one. (RFC 5280,
    /// 4.1.1.2, requires them to be equal; the certificate library does not compare them.) Only ECDSA signatures have two encodings,
    /// `s` and `n − s`, because issuers produce both.
    init(_ encoded: [UInt8], at place: String) throws(Refusal) {
        do {
            let node = try DER.parse(encoded)
            certificate = try Certificate(derEncoded: node)
            (issuer, serial) = try DER.sequence(node, identifier: .sequence) { parts in
                guard let signed = parts.next(), let algorithm = parts.next(), let signature = parts.next(),
                    case .primitive(let bits) = signature.content, bits.first == 0
                else { throw NonCanonicalDER.malleable }
                return try DER.sequence(signed, identifier: .sequence) { fields in
                    var field = fields.next()
                    if field?.identifier == .context(0) { field = fields.next() }
                    guard let serial = field, case .primitive(let number) = serial.content, let signedAlgorithm = fields.next(),
                        signedAlgorithm.encodedBytes == algorithm.encodedBytes, let issuer = fields.next()
                    else { throw NonCanonicalDER.malleable }
                    while fields.next() != nil {}
                    return (Array(issuer.encodedBytes), Array(number))
                }
            }
        } catch {
            throw Refusal(.malformed, at: place, "The certificate is not DER in its canonical form.")
        }
        self.encoded = encoded
        self.place = place
    }

    /// Copies a parsed certificate to another place.
    init(_ other: ParsedCertificate, at place: String) {
        certificate = other.certificate
        encoded = other.encoded
        issuer = other.issuer
        serial = other.serial
        self.place = place
    }

    /// Whether this certificate's subject is the issuer of another.
    func isNamed(asIssuerOf other: ParsedCertificate) -> Bool {
        certificate.subject == other.certificate.issuer
    }

    /// Whether this certificate's key signed another.
    func signed(_ other: ParsedCertificate) -> Bool {
        certificate.publicKey.isValidSignature(other.certificate.signature, for: other.certificate)
    }

    /// The validity in whole seconds, both ends included.
    var validity: (start: Timestamp, end: Timestamp) {
        (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
    }

    private enum NonCanonicalDER: Error {
        case malleable
    }
}
