import Crypto
import PurchaseModel
import PurchaseProof
import SwiftASN1
import X509

/// The subject, validity and fingerprint of a certificate.
///
/// A parser of this module reads them, because the certificate library refuses the short RSA keys of 2012.
struct CertificateFacts {
    /// The subject's name; nil if the bytes are no certificate.
    let name: String?
    private let start: Timestamp?
    private let end: Timestamp?
    /// The SHA-256 of the certificate's DER, as lowercase hexadecimal digits.
    let fingerprint: String

    init(_ bytes: [UInt8]) {
        fingerprint = Hexadecimal.encode(SHA256.hash(data: bytes))
        guard let (subject, validity) = try? Self.read(bytes) else {
            (name, start, end) = (nil, nil, nil)
            return
        }
        name = "\(subject)"
        (start, end) = (validity.first ?? nil, validity.last ?? nil)
    }

    /// ```
    /// SEQUENCE { SEQUENCE { [0] version, serial, algorithm, issuer, SEQUENCE { from, until }, subject, … } … }
    /// ```
    private static func read(_ bytes: [UInt8]) throws -> (subject: DistinguishedName, validity: [Timestamp?]) {
        try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            defer { while nodes.next() != nil {} }
            return try DER.sequence(nodes.next().unwrapped(), identifier: .sequence) { nodes in
                defer { while nodes.next() != nil {} }
                // Version, serial number, algorithm and issuer.
                for _ in 0..<4 { _ = nodes.next() }
                let validity = try DER.sequence(nodes.next().unwrapped(), identifier: .sequence) { nodes in
                    var times: [Timestamp?] = []
                    while let node = nodes.next() { times.append(time(node)) }
                    return times
                }
                return (try DistinguishedName(derEncoded: nodes.next().unwrapped()), validity)
            }
        }
    }

    private static func time(_ node: ASN1Node) -> Timestamp? {
        if let time = try? UTCTime(derEncoded: node) {
            return text(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
        }
        guard let time = try? GeneralizedTime(derEncoded: node) else { return nil }
        return text(time.year, time.month, time.day, time.hours, time.minutes, time.seconds)
    }

    private static func text(_ year: Int, _ month: Int, _ day: Int, _ hours: Int, _ minutes: Int, _ seconds: Int) -> Timestamp? {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: "-")
        return Timestamp(rfc3339: "\(date)T\([hours, minutes, seconds].map { padded($0, 2) }.joined(separator: ":"))Z")
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = []
        if let name { members.append(JSONValue.Member("subject", .string(name))) }
        if let start { members.append(JSONValue.Member("notBefore", .string(start.description))) }
        if let end { members.append(JSONValue.Member("notAfter", .string(end.description))) }
        return .object(members + [JSONValue.Member("sha256", .string(fingerprint))])
    }

    /// A section of certificates, in the order of the signed data.
    static func section(_ certificates: [CertificateFacts]) -> Report.Section {
        var table = TextTable(["valid from", "until", "SHA-256", "subject"])
        for certificate in certificates {
            table.add([
                certificate.start?.description ?? "?", certificate.end?.description ?? "?", "\(certificate.fingerprint.prefix(16))…",
                TerminalText.shortened(certificate.name ?? "no certificate", to: 120),
            ])
        }
        return Report.Section(title: "Certificates", table: table)
    }
}

extension ASN1Node? {
    /// The node; throws if it is absent.
    fileprivate func unwrapped() throws -> ASN1Node {
        guard let self else { throw ASN1Error.truncatedASN1Field() }
        return self
    }
}
