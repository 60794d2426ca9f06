import Crypto
import PurchaseModel
import SwiftASN1
import X509

/// What people want to know of a certificate: whose, from when to when, and its fingerprint.
struct CertificateFacts {
    /// The name in it; nil for certificates that the library does not read, such as those with short RSA keys.
    let name: String?
    let validity: ClosedRange<Timestamp>?
    /// SHA-256 of its bytes, as lower-case digits.
    let fingerprint: String

    init(_ bytes: [UInt8]) {
        fingerprint = HexText.encode(SHA256.hash(data: bytes))
        let certificate = try? Certificate(derEncoded: bytes)
        name = certificate.map { "\($0.subject)" }
        validity = certificate.flatMap { certificate in
            let (start, end) = (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
            return start <= end ? start...end : nil
        }
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = []
        if let name { members.append(JSONValue.Member("subject", .string(name))) }
        if let validity {
            members.append(JSONValue.Member("notBefore", .string(validity.lowerBound.description)))
            members.append(JSONValue.Member("notAfter", .string(validity.upperBound.description)))
        }
        return .object(members + [JSONValue.Member("sha256", .string(fingerprint))])
    }

    /// A section of certificates, in the order in which they were sent.
    static func section(_ certificates: [CertificateFacts]) -> Report.Section {
        var table = TextTable(["valid from", "until", "SHA-256", "subject"])
        for certificate in certificates {
            table.add([
                certificate.validity?.lowerBound.description ?? "?", certificate.validity?.upperBound.description ?? "?",
                "\(certificate.fingerprint.prefix(16))…", TerminalText.shortened(certificate.name ?? "not read", to: 120),
            ])
        }
        return Report.Section(title: "Certificates", table: table)
    }
}
