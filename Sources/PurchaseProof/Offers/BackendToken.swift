import Crypto
import Foundation

/// A JWS that the developer's server signs with its own key: `alg` ES256, `kid`, `typ` JWT, and claims.
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

    /// Reads a token and says what is wrong with its form, header and signature; claims are nil when they can't be read.
    static func read(_ text: String, _ key: BackendPublicKey) -> (claims: BackendClaims?, findings: [SigningFinding]) {
        var findings: [SigningFinding] = []
        let form: CompactForm
        do throws(Refusal) {
            form = try CompactForm(text)
        } catch {
            // Standard base64 is the usual mistake; what was meant can be read all the same.
            let meant = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            guard meant != text, let read = try? CompactForm(meant) else { return (nil, [.malformed(error.place)]) }
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
        if bytes.count > 80, let inner = LooseBase64.decode(String(decoding: bytes, as: UTF8.self)) {
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
        // What was really signed is the text as it came, in whichever base64.
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
