import Crypto
import Foundation
import PurchaseModel

/// A JWT that a developer's server signs: `alg` ES256, `kid`, `typ` JWT, and claims.
enum BackendToken {
    private struct Header: Encodable {
        let alg = "ES256"
        let kid: String
        let typ = "JWT"
    }

    /// Signs claims.
    static func sign(_ claims: some Encodable, with key: BackendKey) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try Base64URL.encode(encoder.encode(Header(kid: key.id))) + "." + Base64URL.encode(encoder.encode(claims))
        return try text + "." + Base64URL.encode(key.sign(Array(text.utf8)).rawRepresentation)
    }

    /// Parses a token and returns the mistakes in its structure, header and signature; claims are nil when the token is malformed.
    static func read(_ text: String, _ key: BackendPublicKey) -> (claims: BackendClaims?, findings: [SigningFinding]) {
        var findings: [SigningFinding] = []
        let form: CompactForm
        do throws(Refusal) {
            form = try CompactForm(text)
        } catch {
            // Standard base64 is the usual mistake. The token can be parsed nevertheless.
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
        // The signed text is the one that was sent, in either base64.
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

/// The members of a token's header or payload.
///
/// Reading an invalid member adds a finding.
struct BackendClaims {
    private let values: [String: Data]
    private let place: String

    init(_ bytes: [UInt8], _ scanner: JSONScanner, place: String) {
        self.place = place
        values = Dictionary(
            scanner.members.map { (scanner.text($0.name), Data(bytes[$0.value])) }, uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether a member is present.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// A required member, as text.
    func string(_ name: String, _ findings: inout [SigningFinding]) -> String? { value(name, &findings) }

    /// A required member, as a Boolean.
    func bool(_ name: String, _ findings: inout [SigningFinding]) -> Bool? { value(name, &findings) }

    /// Requires a member to have a value.
    func string(_ name: String, mustBe expected: String?, _ findings: inout [SigningFinding]) {
        if let text = string(name, &findings), let expected, text != expected { findings.append(.wrong("\(place).\(name)")) }
    }

    /// A required date in seconds, rounded to milliseconds.
    ///
    /// A NumericDate can have a fraction (RFC 7519, section 2). The library jwt-kit writes dates with fractions.
    func date(_ name: String, _ findings: inout [SigningFinding]) -> Timestamp? {
        guard let seconds: Double = value(name, &findings) else { return nil }
        // In milliseconds, every date since 1973 is above this value; in seconds, every date of the next 3,000 years is below it.
        guard seconds < 100_000_000_000 else {
            findings.append(.milliseconds("\(place).\(name)"))
            return Timestamp(milliseconds: Int64(exactly: seconds.rounded()) ?? .max)
        }
        return Timestamp(milliseconds: Int64(exactly: (seconds * 1000).rounded()) ?? .min)
    }

    /// A required UUID in lower case.
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

/// Decodes base64 in either alphabet, with or without padding, to find mistakes.
enum LenientBase64 {
    /// Decodes a text; nil for an invalid or empty text.
    static func decode(_ text: String) -> [UInt8]? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines.union(["="]))
        guard !trimmed.isEmpty else { return nil }
        return Base64URL.decode(
            trimmed.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
    }
}
