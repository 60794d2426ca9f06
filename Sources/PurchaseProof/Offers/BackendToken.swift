import Crypto
import Foundation
import PurchaseModel

/// A JWT that a developer's server signs: `alg` ES256, `kid`, `typ`, and claims.
///
/// The token is signed with the developer's key. It is therefore not a forgery of the App Store's data, and does not belong to
/// `PurchaseIssuing`.
package enum BackendToken {
    private struct Header: Encodable {
        let alg = "ES256"
        let kid: String
        let typ: String
    }

    /// Signs claims with a developer's key and returns the JWT.
    ///
    /// - Parameters:
    ///   - claims: The claims, which are encoded with sorted members.
    ///   - type: The value of the header's member `typ` (RFC 7515, section 4.1.9).
    ///   - key: The developer's key.
    package static func sign(_ claims: some Encodable, type: String = "JWT", with key: BackendKey) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try Base64URL.encode(encoder.encode(Header(kid: key.id, typ: type))) + "." + Base64URL.encode(encoder.encode(claims))
        return try text + "." + Base64URL.encode(key.sign(Array(text.utf8)).rawRepresentation)
    }

    /// Parses a token, verifies its signature, and returns its claims with the mistakes in its structure, header and signature.
    ///
    /// The claims are nil when the token is malformed. The caller examines the values of the claims.
    static func read(_ text: String, _ key: BackendPublicKey) -> (claims: BackendClaims?, findings: [SigningFinding]) {
        var findings: [SigningFinding] = []
        let form: CompactForm
        do throws(Refusal) {
            form = try CompactForm(text)
        } catch {
            // The usual cause is standard base64 instead of base64url. Such a token is parsed, and the mistake is reported.
            let normalized = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            guard normalized != text, let read = try? CompactForm(normalized) else { return (nil, [.malformed(error.place)]) }
            findings.append(.wrongBase64(error.place))
            form = read
        }
        let header = BackendClaims(form.header, form.headerMembers, place: "header")
        if header.string("alg", &findings) != "ES256" { findings.append(.algorithm) }
        if let type = header.string("typ", &findings), type != "JWT" { findings.append(.wrong("header.typ")) }
        if let id = header.string("kid", &findings), let expected = key.id, id != expected { findings.append(.wrongKeyID(id)) }
        findings += signatureFindings(form, text, key)
        return (BackendClaims(form.payload, form.payloadMembers, place: "payload"), findings)
    }

    private static func signatureFindings(_ form: CompactForm, _ text: String, _ key: BackendPublicKey) -> [SigningFinding] {
        var findings: [SigningFinding] = []
        var bytes = form.signature
        if bytes.count > 80, let inner = LenientBase64.decode(String(decoding: bytes, as: UTF8.self)) {
            findings.append(.doubleBase64("signature"))
            bytes = inner
        }
        let signature: P256.Signing.ECDSASignature
        if bytes.count == 64, let raw = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) {
            signature = raw
        } else if let der = try? P256.Signing.ECDSASignature(derRepresentation: bytes) {
            findings.append(.derSignature)
            signature = der
        } else {
            return findings + [.malformed("signature")]
        }
        // The signature covers the header and the payload as they were sent, whether in base64url or in standard base64.
        let signed = Array(text.utf8.split(separator: UInt8(ascii: ".")).prefix(2).joined(separator: [UInt8(ascii: ".")]))
        if key.signed(signed, signature) { return findings }
        let parts = signed.split(separator: UInt8(ascii: "."))
        if key.signed(SHA256.hash(data: signed), signature) { return findings + [.otherText("The SHA-256 of header and payload")] }
        if let payload = parts.last, key.signed(payload, signature) { return findings + [.otherText("The payload alone")] }
        if key.signed(form.header + [UInt8(ascii: ".")] + form.payload, signature) {
            return findings + [.otherText("The JSON of header and payload")]
        }
        return findings + [.wrongKey]
    }
}

/// The members of the header or of the payload of a JWT that a developer's server signed.
///
/// The methods read one member, and append a ``SigningFinding`` when the member is missing or invalid.
struct BackendClaims {
    private let values: [String: Data]
    private let place: String

    init(_ bytes: [UInt8], _ scanner: JSONScanner, place: String) {
        self.place = place
        values = Dictionary(
            scanner.members.map { (scanner.text($0.name), Data(bytes[$0.value])) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns whether a member is present.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the text of a required member; nil, with a finding, when the member is missing or not a string.
    func string(_ name: String, _ findings: inout [SigningFinding]) -> String? { value(name, &findings) }

    /// Returns the value of a required Boolean member; nil, with a finding, when the member is missing or not a Boolean.
    func bool(_ name: String, _ findings: inout [SigningFinding]) -> Bool? { value(name, &findings) }

    /// Adds a finding unless a required member is a string that equals `expected`; nil for `expected` accepts every string.
    func string(_ name: String, mustBe expected: String?, _ findings: inout [SigningFinding]) {
        if let text = string(name, &findings), let expected, text != expected { findings.append(.wrong("\(place).\(name)")) }
    }

    /// Returns the date of a required member in seconds since 1970, rounded to milliseconds; nil, with a finding, when the member is
    /// missing or not a number.
    ///
    /// The date can have a fraction of a second (NumericDate of RFC 7519, section 2); the library jwt-kit writes fractions. A date that is
    /// evidently in milliseconds is converted, and adds a finding.
    func date(_ name: String, _ findings: inout [SigningFinding]) -> Timestamp? {
        guard let seconds: Double = value(name, &findings) else { return nil }
        // A date since 1973 in milliseconds exceeds this value, and a date of the next 3,000 years in seconds does not reach it.
        guard seconds < 100_000_000_000 else {
            findings.append(.milliseconds("\(place).\(name)"))
            return Timestamp(milliseconds: Int64(exactly: seconds.rounded()) ?? .max)
        }
        return Timestamp(milliseconds: Int64(exactly: (seconds * 1000).rounded()) ?? .min)
    }

    /// Adds a finding unless a required member is a UUID in lower case.
    func uuid(_ name: String, _ findings: inout [SigningFinding]) {
        guard let text = string(name, &findings) else { return }
        if IdentifierText.uuid(text) == nil {
            findings.append(.wrong("\(place).\(name)"))
        } else if text != text.lowercased() {
            findings.append(.upperCase("\(place).\(name)"))
        }
    }

    private func value<Value: Decodable>(_ name: String, _ findings: inout [SigningFinding]) -> Value? {
        guard let json = values[name] else {
            findings.append(.missing("\(place).\(name)"))
            return nil
        }
        guard let value = try? JSONDecoder().decode(Value.self, from: json) else {
            findings.append(.wrong("\(place).\(name)"))
            return nil
        }
        return value
    }
}

/// Decodes both base64 and base64url, with or without padding, so that a wrong encoding can be reported as a mistake.
enum LenientBase64 {
    /// Returns the bytes that a text encodes; nil when the text is empty or is neither base64 nor base64url.
    static func decode(_ text: String) -> [UInt8]? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines.union(["="]))
        guard !trimmed.isEmpty else { return nil }
        return Base64URL.decode(
            trimmed.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
    }
}
