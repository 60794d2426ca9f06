import Crypto
import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension ForgeryFactory {
    /// JWS whose header plays tricks with algorithm and key.
    func signedDataHeaders() throws -> [Forgery] {
        [
            try .jws(
                "alg-none", .refused(.algorithm("none"), at: "header.alg"), what: "The algorithm is none and the signature is empty.",
                why: "A library that follows the algorithm in the header accepts anything."
            ) { try sign(transaction(), header: { $0.algorithm = "none" }, signature: { _ in [] }) },
            try .jws(
                "alg-none-in-capitals", .refused(.algorithm("nOnE"), at: "header.alg"),
                what: "The algorithm is nOnE and the signature is empty.",
                why: "A list of forbidden algorithms misses other spellings."
            ) { try sign(transaction(), header: { $0.algorithm = "nOnE" }, signature: { _ in [] }) },
            try .jws(
                "alg-hs256", .refused(.algorithm("HS256"), at: "header.alg"),
                what: "The algorithm is HS256, with the leaf's public key as the secret.",
                why: "A library with one function for all algorithms uses the public key as the shared secret."
            ) {
                let secret = SymmetricKey(data: Data(keys.signedDataLeaf.publicKey.pemRepresentation.utf8))
                return try sign(
                    transaction(), header: { $0.algorithm = "HS256" },
                    signature: { Array(HMAC<SHA256>.authenticationCode(for: Data($0), using: secret)) }
                )
            },
            try .jws(
                "alg-es384", .refused(.algorithm("ES384"), at: "header.alg"), what: "The JWS is valid, but uses a P-384 leaf and ES384.",
                why: "ES384 is strong, but the store does not use it. A verifier accepts only the algorithms that the store uses."
            ) { try sign(transaction(), by: defective(.p384SignedDataLeaf)) },
            try .jws(
                "alg-rs256", .refused(.algorithm("RS256"), at: "header.alg"), what: "The JWS is valid, but uses an RSA leaf and RS256.",
                why: "A verifier that accepts other algorithms can be made to use a key of one type as another."
            ) { try sign(transaction(), by: defective(.rsaSignedDataLeaf)) },
            try .jws(
                "alg-lower-case", .refused(.algorithm("es256"), at: "header.alg"), what: "The algorithm is spelled es256.",
                why: "Algorithm names are case-sensitive. A verifier that accepts one other spelling may accept more."
            ) { try transactionHeaded { $0.algorithm = "es256" } },
            try .jws(
                "alg-missing", .refused(.malformed, at: "header.alg"), what: "The header names no algorithm.",
                why: "A default algorithm is not the signer's choice."
            ) { try transactionHeaded { $0.algorithm = nil } },
            try .jws(
                "alg-twice", .refused(.malformed, at: "header.alg"), what: "The header has alg twice, first with none and then with ES256.",
                why: "Two parsers can read two algorithms, so that the verified one is not the used one."
            ) { try sign(transaction(), rawHeader: #"{"alg":"none","alg":"ES256","x5c":\#(json(x5c()))}"#) },
            try .jws(
                "alg-escaped-name", .refused(.malformed, at: "header"), what: #"A second algorithm has the escaped name \u0061lg."#,
                why: "One parser reads the name as alg, and another does not."
            ) { try sign(transaction(), rawHeader: #"{"alg":"ES256","\u0061lg":"none","x5c":\#(json(x5c()))}"#) },
            try .jws(
                "own-jwk", .refused(.algorithm("jwk"), at: "header.jwk"),
                what: "The header has the attacker's key as jwk, and the genuine chain. The attacker's key signed the JWS.",
                why: "A library that prefers jwk to x5c verifies the signature with an untrusted key."
            ) {
                let key = strangersKeys.signedDataLeaf
                let point = key.publicKey.rawRepresentation
                let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
                return try sign(
                    transaction(), header: { $0.additionalMembers = #","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"# },
                    signature: { Array(try key.signature(for: Data($0)).rawRepresentation) }
                )
            },
            try .jws(
                "jku", .refused(.algorithm("jku"), at: "header.jku"), what: "The header has a URL for keys.",
                why: "The fetched key is foreign, and the attacker chooses the URL of a request from the server's network."
            ) { try transaction(headerMembers: #","jku":"http://169.254.169.254/keys.json""#) },
            try .jws(
                "x5u", .refused(.algorithm("x5u"), at: "header.x5u"), what: "The header has a URL for certificates.",
                why: "The fetched certificates are foreign, and the attacker chooses the URL of a request from the server's network."
            ) { try transaction(headerMembers: #","x5u":"https://keys.example.com/chain.pem""#) },
            try .jws(
                "crit", .refused(.algorithm("crit"), at: "header.crit"), what: "The header lists an unknown member as critical.",
                why: "RFC 7515 requires a verifier to refuse an unknown critical member."
            ) { try transaction(headerMembers: #","crit":["exp2"],"exp2":1"#) },
            try .jws(
                "b64-false", .refused(.algorithm("b64"), at: "header.b64"),
                what: "The header states that the payload is not base64url-encoded.",
                why: "The same characters are two payloads: one with support for b64 and one without."
            ) { try transaction(headerMembers: #","b64":false"#) },
            try .jws(
                "zip", .refused(.algorithm("zip"), at: "header.zip"), what: "The header says that the payload is compressed.",
                why: "Compression belongs to encryption, and inflating the payload risks a decompression bomb."
            ) { try transaction(headerMembers: #","zip":"DEF""#) },
            try .jws(
                "header-not-an-object", .refused(.malformed, at: "header"), what: "The header is an array.",
                why: "Code that looks up members without a type check crashes."
            ) { try sign(transaction(), rawHeader: #"["ES256"]"#) },
        ]
    }

    /// JWS whose three parts are spelled otherwise, or whose signature is none.
    func signedDataForms() throws -> [Forgery] {
        let refused = Forgery.Expectation.refused(.signature, at: "signature")
        func genuine() throws -> String { try sign(transaction()) }
        func parts() throws -> [String] { try genuine().split(separator: ".").map(String.init) }
        return [
            try .jws(
                "changed-payload", refused, what: "The quantity was changed from 1 to 9 after signing.",
                why: "This is the simplest forgery."
            ) {
                let parts = try parts()
                let payload = Base64URL.encode(Array(try transaction(#""quantity":1"#, #""quantity":9"#).utf8))
                return [parts[0], payload, parts[2]].joined(separator: ".")
            },
            try .jws(
                "signature-of-other-payload", refused, what: "The signature is that of another genuine transaction.",
                why: "All parts are genuine, but do not belong together."
            ) {
                let other = try sign(transaction { $0.transactionId = "2000000000000077" }).split(separator: ".")
                return try (parts().prefix(2) + [String(other[2])]).joined(separator: ".")
            },
            try .jws(
                "other-key", refused, what: "The JWS has the genuine leaf, but another key signed it.",
                why: "Anyone can copy the certificates of a genuine JWS."
            ) {
                let key = strangersKeys.signedDataLeaf
                return try transaction(signature: { Array(try key.signature(for: Data($0)).rawRepresentation) })
            },
            try .jws(
                "changed-header", refused, what: "A kid was added to the header after signing.",
                why: "The signature covers the header, too."
            ) {
                let parts = try parts()
                let header = try json(x5c())
                return [Base64URL.encode(Array(#"{"alg":"ES256","kid":"1","x5c":\#(header)}"#.utf8)), parts[1], parts[2]].joined(
                    separator: ".")
            },
            try .jws(
                "signature-der", .refused(.malformed, at: "signature"), what: "The signature is in DER, as in certificates.",
                why: "A JWS signature is r and s. A verifier that also accepts DER accepts many encodings of each JWS."
            ) { try transaction(signature: { Array(try ecdsa($0).derRepresentation) }) },
            try .jws(
                "signature-empty", .refused(.malformed, at: "signature"), what: "The signature is empty, with ES256 in the header.",
                why: "Some code skips verification when the signature is empty."
            ) { try transaction(signature: { _ in [] }) },
            try .jws(
                "signature-zeros", refused, what: "Both numbers of the signature are zero.",
                why: "Java's ECDSA accepted zeros for any content until April 2022 (CVE-2022-21449)."
            ) { try transaction(signature: { _ in [UInt8](repeating: 0, count: 64) }) },
            try .jws(
                "signature-s-zero", refused, what: "The second number of the signature is zero.",
                why: "Both numbers must be at least 1 and less than the order of the group."
            ) { try transaction(signature: { Array(try ecdsa($0).rawRepresentation.prefix(32)) + [UInt8](repeating: 0, count: 32) }) },
            try .jws(
                "signature-65-bytes", .refused(.malformed, at: "signature"), what: "A zero byte follows the signature.",
                why: "The additional byte makes a second encoding of the same signature."
            ) { try transaction(signature: { Array(try ecdsa($0).rawRepresentation) + [0] }) },
            try .jws(
                "padding", .refused(.malformed, at: "signature"), what: "The signature ends with the padding ==.",
                why: "Base64url in JWS has no padding. A verifier that removes padding accepts further encodings of each JWS."
            ) { try genuine() + "==" },
            try .jws(
                "stray-bits", .refused(.malformed, at: "signature"),
                what: "The unused bits of the signature's last character are set.",
                why: "A decoder that ignores these bits accepts 16 encodings of a JWS, each of which passes a replay check."
            ) {
                let jws = try genuine()
                // 64 bytes end with two bits of the last character; A, Q, g and w have no others.
                let last: [Character: Character] = ["A": "B", "Q": "R", "g": "h", "w": "x"]
                return String(jws.dropLast()) + String(jws.last.flatMap { last[$0] } ?? "_")
            },
            try .jws(
                "standard-alphabet", .refused(.malformed, at: "signature"), what: "The signature is in standard base64, with + and /.",
                why: "A decoder that accepts both alphabets accepts further encodings of each JWS."
            ) {
                // Until one comes that shows the difference.
                while true {
                    let parts = try parts()
                    let other = parts[2].replacing("-", with: "+").replacing("_", with: "/")
                    if other != parts[2] { return [parts[0], parts[1], other].joined(separator: ".") }
                }
            },
            try .jws(
                "line-break", .refused(.malformed, at: "signature"), what: "A line break follows the JWS.",
                why: "Files often end with a line break. A verifier that trims white space accepts any number of encodings of each JWS."
            ) { try genuine() + "\n" },
            try .jws(
                "space-inside", .refused(.malformed, at: "payload"), what: "The payload has a space in the middle.",
                why: "A lenient decoder skips the space, but the signature covers the characters."
            ) {
                let parts = try parts()
                let half = parts[1].index(parts[1].startIndex, offsetBy: 40)
                return [parts[0], parts[1][..<half] + " " + parts[1][half...], parts[2]].joined(separator: ".")
            },
            try .jws(
                "four-parts", .refused(.malformed, at: "parts"), what: "A fourth part follows the signature.",
                why: "Code that uses the first three parts does not detect the fourth."
            ) { try genuine() + ".e30" },
            try .jws(
                "two-parts", .refused(.malformed, at: "parts"), what: "The signature and the dot before it are missing.",
                why: "Code that decodes before it verifies returns the payload."
            ) { try parts().prefix(2).joined(separator: ".") },
            try .jws(
                "json-serialization", .refused(.malformed, at: "parts"),
                what: "The JWS has the JSON serialization of RFC 7515 instead of the compact one.",
                why: "The JSON serialization allows an unsigned header and further signatures."
            ) {
                let parts = try parts()
                return #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
            },
        ]
    }
}
