import Foundation
import PurchaseModel
import SwiftASN1

/// What an OCSP answer says (RFC 6960, 4.2.1), for the fields that the certificate library keeps to itself.
///
/// Nothing here checks a signature: it is read to know how long an answer holds that the library has accepted, and what to ask
/// of the library about one that it has not.
enum OCSPReading: Equatable {
    /// The responder refuses to answer.
    case refusal
    /// What it says about the certificate that was asked about.
    case status(Status, thisUpdate: Timestamp, nextUpdate: Timestamp?)

    /// What can be said about a certificate.
    enum Status: UInt {
        case good = 0
        case revoked = 1
        case unknown = 2
    }

    /// Reads an answer; nil when it is none, or none to that request.
    init?(_ answer: [UInt8], to request: [UInt8]) {
        guard let reading = try? Self.read(answer, to: request) else { return nil }
        self = reading
    }

    private static func read(_ answer: [UInt8], to request: [UInt8]) throws -> OCSPReading? {
        let (code, bytes) = try DER.sequence(DER.parse(answer), identifier: .sequence) { fields in
            let code = try Int(derEncoded: fields.next() ?? missing(), withIdentifier: .enumerated)
            let bytes = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                try DER.sequence(node, identifier: .sequence) { fields in
                    _ = fields.next()
                    return try ASN1OctetString(derEncoded: &fields).bytes
                }
            }
            return (code, bytes)
        }
        guard code == 0 else { return .refusal }
        guard let bytes else { return nil }
        let asked = try subject(of: request)
        for single in try singles(DER.parse(bytes)) where single.subject == asked { return single.reading }
        return nil
    }

    /// Everything that is said in a BasicOCSPResponse.
    private static func singles(_ basic: ASN1Node) throws -> [Single] {
        try DER.sequence(basic, identifier: .sequence) { fields in
            let data = try fields.next() ?? missing()
            while fields.next() != nil {}
            return try DER.sequence(data, identifier: .sequence) { fields in
                // Version, responder and date come before, extensions after; only the list has this tag.
                var singles: [Single] = []
                while let field = fields.next() {
                    if field.identifier == .sequence { singles = try DER.sequence(of: Single.self, identifier: .sequence, rootNode: field) }
                }
                return singles
            }
        }
    }

    /// The certificate that a request is about.
    private static func subject(of request: [UInt8]) throws -> Subject {
        try DER.sequence(DER.parse(request), identifier: .sequence) { fields in
            let signed = try fields.next() ?? missing()
            while fields.next() != nil {}
            return try DER.sequence(signed, identifier: .sequence) { fields in
                var list: ASN1Node?
                while let field = fields.next() { if field.identifier == .sequence { list = field } }
                guard case .constructed(let requests)? = list?.content, let first = requests.first(where: { _ in true }) else {
                    return try missing()
                }
                return try DER.sequence(first, identifier: .sequence) { fields in
                    let subject = try Subject(derEncoded: fields.next() ?? missing())
                    while fields.next() != nil {}
                    return subject
                }
            }
        }
    }

    private static func timestamp(_ time: GeneralizedTime) throws -> Timestamp {
        let components = DateComponents(
            timeZone: .gmt, year: time.year, month: time.month, day: time.day, hour: time.hours, minute: time.minutes, second: time.seconds
        )
        return try Timestamp(Calendar(identifier: .gregorian).date(from: components) ?? missing())
    }

    private static func missing<Part>() throws -> Part {
        throw ASN1Error.invalidASN1Object(reason: "A part is missing.")
    }

    /// A CertID: issuer and serial number, as digests.
    private struct Subject: Equatable {
        let digest: ASN1ObjectIdentifier
        let name: ArraySlice<UInt8>
        let key: ArraySlice<UInt8>
        let serial: ArraySlice<UInt8>

        init(derEncoded node: ASN1Node) throws {
            self = try DER.sequence(node, identifier: .sequence) { fields in
                let digest = try DER.sequence(fields.next() ?? missing(), identifier: .sequence) { fields in
                    let digest = try ASN1ObjectIdentifier(derEncoded: &fields)
                    while fields.next() != nil {}
                    return digest
                }
                return try Subject(
                    digest: digest, name: ASN1OctetString(derEncoded: &fields).bytes, key: ASN1OctetString(derEncoded: &fields).bytes,
                    serial: ArraySlice<UInt8>(derEncoded: &fields)
                )
            }
        }

        private init(digest: ASN1ObjectIdentifier, name: ArraySlice<UInt8>, key: ArraySlice<UInt8>, serial: ArraySlice<UInt8>) {
            (self.digest, self.name, self.key, self.serial) = (digest, name, key, serial)
        }
    }

    /// A SingleResponse.
    private struct Single: DERParseable {
        let subject: Subject
        let reading: OCSPReading

        init(derEncoded node: ASN1Node) throws {
            (subject, reading) = try DER.sequence(node, identifier: .sequence) { fields in
                let subject = try Subject(derEncoded: fields.next() ?? missing())
                let tag: ASN1Identifier = try (fields.next() ?? missing()).identifier
                guard tag.tagClass == .contextSpecific, let status = Status(rawValue: tag.tagNumber) else { return try missing() }
                let thisUpdate = try GeneralizedTime(derEncoded: &fields)
                let nextUpdate = try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { node in
                    try GeneralizedTime(derEncoded: node)
                }
                while fields.next() != nil {}
                return try (subject, .status(status, thisUpdate: timestamp(thisUpdate), nextUpdate: nextUpdate.map(timestamp)))
            }
        }
    }
}
