import PurchaseModel
import SwiftASN1
import X509

/// A certificate from signed data or from the configuration, parsed and not verified.
struct ParsedCertificate: Sendable {
    /// The certificate as a value of swift-certificates.
    let certificate: Certificate
    /// The certificate as DER.
    let encoded: [UInt8]
    /// The issuer's name as DER.
    let issuer: [UInt8]
    /// The content octets of the serial number.
    let serial: [UInt8]
    /// The path of the certificate in the data, such as `header.x5c[1]`, for the place of a refusal.
    let place: String

    /// Parses a certificate in DER.
    ///
    /// The initializer refuses variants of a certificate that the issuer's signature does not exclude, so that nobody can create a second
    /// encoding of a genuine certificate: unused bits at the end of the signature, and an algorithm identifier after the signed part that
    /// differs from the signed one. RFC 5280, 4.1.1.2, requires equal algorithm identifiers, and swift-certificates does not compare them.
    /// An ECDSA signature has two valid encodings, with `s` and with `n − s`. Both are accepted, because issuers produce both.
    ///
    /// - Throws: ``Refusal/Reason/malformed`` when the bytes are not a certificate, or are one of these variants.
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

    /// Creates a copy of a parsed certificate with another place.
    init(_ other: ParsedCertificate, at place: String) {
        certificate = other.certificate
        encoded = other.encoded
        issuer = other.issuer
        serial = other.serial
        self.place = place
    }

    /// Returns whether another certificate names this certificate's subject as its issuer.
    func isNamed(asIssuerOf other: ParsedCertificate) -> Bool {
        certificate.subject == other.certificate.issuer
    }

    /// Returns whether the key of this certificate signed another certificate.
    func signed(_ other: ParsedCertificate) -> Bool {
        certificate.publicKey.isValidSignature(other.certificate.signature, for: other.certificate)
    }

    /// The first and the last second in which the certificate is valid.
    var validity: (start: Timestamp, end: Timestamp) {
        (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
    }

    private enum NonCanonicalDER: Error {
        case malleable
    }
}
