import Crypto
import CryptoExtras
import Foundation
import PurchaseIssuing
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import X509

extension Workshop {
    /// JWS whose header plays tricks with algorithm and key.
    func signedDataHeaders() throws -> [Forgery] {
        [
            try .jws(
                "alg-none", .refused(.algorithm("none"), at: "header.alg"), what: "The algorithm is none and the signature is empty.",
                why: "The oldest trick: libraries that do what the header says accept anything."
            ) { try sign(transaction(), header: { $0.algorithm = "none" }, signature: { _ in [] }) },
            try .jws(
                "alg-none-in-capitals", .refused(.algorithm("nOnE"), at: "header.alg"), what: "The same, spelled nOnE.",
                why: "Lists of what is forbidden forget spellings."
            ) { try sign(transaction(), header: { $0.algorithm = "nOnE" }, signature: { _ in [] }) },
            try .jws(
                "alg-hs256", .refused(.algorithm("HS256"), at: "header.alg"),
                what: "The algorithm is HS256, keyed with the leaf's public key, which everybody knows.",
                why: "Libraries with one function for all algorithms take the public key for the shared secret."
            ) {
                let secret = SymmetricKey(data: Data(keys.signedDataLeaf.publicKey.pemRepresentation.utf8))
                return try sign(
                    transaction(), header: { $0.algorithm = "HS256" },
                    signature: { Array(HMAC<SHA256>.authenticationCode(for: Data($0), using: secret)) }
                )
            },
            try .jws(
                "alg-es384", .refused(.algorithm("ES384"), at: "header.alg"), what: "Everything is right, with a P-384 leaf and ES384.",
                why: "Strong, and never seen: what the store does not do is not accepted until it does."
            ) { try sign(transaction(), by: defective(.p384SignedDataLeaf)) },
            try .jws(
                "alg-rs256", .refused(.algorithm("RS256"), at: "header.alg"), what: "Everything is right, with an RSA leaf and RS256.",
                why: "The same; it is also how keys of one kind are passed off as another."
            ) { try sign(transaction(), by: defective(.rsaSignedDataLeaf)) },
            try .jws(
                "alg-lower-case", .refused(.algorithm("es256"), at: "header.alg"), what: "The algorithm is spelled es256.",
                why: "Names of algorithms are exact; where one spelling passes, so do others."
            ) { try transactionHeaded { $0.algorithm = "es256" } },
            try .jws(
                "alg-missing", .refused(.malformed, at: "header.alg"), what: "The header names no algorithm.",
                why: "A default is an algorithm that nobody chose."
            ) { try transactionHeaded { $0.algorithm = nil } },
            try .jws(
                "alg-twice", .refused(.malformed, at: "header.alg"), what: "The header says none first and ES256 after it.",
                why: "Two parsers, two algorithms: one checks, the other decides."
            ) { try sign(transaction(), rawHeader: #"{"alg":"none","alg":"ES256","x5c":\#(json(x5c()))}"#) },
            try .jws(
                "alg-escaped-name", .refused(.malformed, at: "header"), what: #"A second algorithm hides under the name \u0061lg."#,
                why: "To one parser it is alg, to another one it is not."
            ) { try sign(transaction(), rawHeader: #"{"alg":"ES256","\u0061lg":"none","x5c":\#(json(x5c()))}"#) },
            try .jws(
                "own-jwk", .refused(.algorithm("jwk"), at: "header.jwk"),
                what: "The header brings the attacker's key as jwk, with the genuine chain beside it; the attacker's key signed.",
                why: "Libraries that prefer jwk to x5c check the signature with a key that nobody vouches for."
            ) {
                let key = strangersKeys.signedDataLeaf
                let point = key.publicKey.rawRepresentation
                let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
                return try sign(
                    transaction(), header: { $0.furtherMembers = #","jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"# },
                    signature: { Array(try key.signature(for: Data($0)).rawRepresentation) }
                )
            },
            try .jws(
                "jku", .refused(.algorithm("jku"), at: "header.jku"), what: "The header names an address to fetch keys from.",
                why: "The key of a stranger, and a request from inside the server's network to an address of the attacker's choice."
            ) { try transaction(headerMembers: #","jku":"http://169.254.169.254/keys.json""#) },
            try .jws(
                "x5u", .refused(.algorithm("x5u"), at: "header.x5u"), what: "The header names an address to fetch certificates from.",
                why: "The same for certificates."
            ) { try transaction(headerMembers: #","x5u":"https://keys.example.com/chain.pem""#) },
            try .jws(
                "crit", .refused(.algorithm("crit"), at: "header.crit"), what: "The header lists a member as critical that nobody knows.",
                why: "RFC 7515 says: whoever does not understand it must refuse."
            ) { try transaction(headerMembers: #","crit":["exp2"],"exp2":1"#) },
            try .jws(
                "b64-false", .refused(.algorithm("b64"), at: "header.b64"),
                what: "The header says that the payload is not base64; it is signed as plain text.",
                why: "The same characters are one payload to those who know b64 and another one to those who do not."
            ) { try transaction(headerMembers: #","b64":false"#) },
            try .jws(
                "zip", .refused(.algorithm("zip"), at: "header.zip"), what: "The header says that the payload is compressed.",
                why: "That belongs to encryption; who inflates it meets a bomb."
            ) { try transaction(headerMembers: #","zip":"DEF""#) },
            try .jws(
                "header-not-an-object", .refused(.malformed, at: "header"), what: "The header is an array.",
                why: "Code that looks up names in it without looking at it crashes."
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
                why: "The simplest forgery of all."
            ) {
                let parts = try parts()
                let payload = Base64URL.encode(Array(try transaction(#""quantity":1"#, #""quantity":9"#).utf8))
                return [parts[0], payload, parts[2]].joined(separator: ".")
            },
            try .jws(
                "signature-of-other-payload", refused, what: "The signature is that of another genuine transaction.",
                why: "All parts are genuine; only together they are not."
            ) {
                let other = try sign(transaction { $0.transactionId = "2000000000000077" }).split(separator: ".")
                return try (parts().prefix(2) + [String(other[2])]).joined(separator: ".")
            },
            try .jws(
                "other-key", refused, what: "Another key signed than the one of the genuine leaf that it comes with.",
                why: "Anybody can copy the certificates out of a genuine JWS."
            ) {
                let key = strangersKeys.signedDataLeaf
                return try transaction(signature: { Array(try key.signature(for: Data($0)).rawRepresentation) })
            },
            try .jws(
                "changed-header", refused, what: "A kid was added to the header after signing.",
                why: "The header is signed, too."
            ) {
                let parts = try parts()
                let header = try json(x5c())
                return [Base64URL.encode(Array(#"{"alg":"ES256","kid":"1","x5c":\#(header)}"#.utf8)), parts[1], parts[2]].joined(
                    separator: ".")
            },
            try .jws(
                "signature-der", .refused(.malformed, at: "signature"), what: "The signature is in DER, as certificates have it.",
                why: "JWS has r and s side by side. Accepting both gives each JWS two spellings, and DER has many more."
            ) { try transaction(signature: { Array(try ecdsa($0).derRepresentation) }) },
            try .jws(
                "signature-empty", .refused(.malformed, at: "signature"), what: "The signature is empty, with ES256 in the header.",
                why: "What is not there can't be wrong, to some code."
            ) { try transaction(signature: { _ in [] }) },
            try .jws(
                "signature-zeros", refused, what: "Both numbers of the signature are zero.",
                why: "Java's ECDSA accepted zeros for any content until April 2022 (CVE-2022-21449)."
            ) { try transaction(signature: { _ in [UInt8](repeating: 0, count: 64) }) },
            try .jws(
                "signature-s-zero", refused, what: "The second number of the signature is zero.",
                why: "The standard wants both between 1 and the group's order."
            ) { try transaction(signature: { Array(try ecdsa($0).rawRepresentation.prefix(32)) + [UInt8](repeating: 0, count: 32) }) },
            try .jws(
                "signature-65-bytes", .refused(.malformed, at: "signature"), what: "A zero byte follows the signature.",
                why: "A second spelling of the same signature."
            ) { try transaction(signature: { Array(try ecdsa($0).rawRepresentation) + [0] }) },
            try .jws(
                "padding", .refused(.malformed, at: "signature"), what: "The signature has the padding == at its end.",
                why: "Base64 in JWS has none; whoever strips it gives each JWS more spellings."
            ) { try genuine() + "==" },
            try .jws(
                "stray-bits", .refused(.malformed, at: "signature"),
                what: "Bits after the end of the signature are set in its last character.",
                why: "Decoders ignore them, so one JWS has sixteen spellings, each new to a table of what was seen."
            ) {
                let jws = try genuine()
                // 64 bytes end with two bits of the last character; A, Q, g and w have no others.
                let last: [Character: Character] = ["A": "B", "Q": "R", "g": "h", "w": "x"]
                return String(jws.dropLast()) + String(jws.last.flatMap { last[$0] } ?? "_")
            },
            try .jws(
                "standard-alphabet", .refused(.malformed, at: "signature"), what: "The signature is in the other alphabet, with + and /.",
                why: "Decoders that take both give each JWS more spellings."
            ) {
                // Until one comes that shows the difference.
                while true {
                    let parts = try parts()
                    let other = parts[2].replacing("-", with: "+").replacing("_", with: "/")
                    if other != parts[2] { return [parts[0], parts[1], other].joined(separator: ".") }
                }
            },
            try .jws(
                "line-break", .refused(.malformed, at: "signature"), what: "A line break follows the end.",
                why: "Reading a file leaves one there; a verifier that trims gives each JWS endlessly many spellings."
            ) { try genuine() + "\n" },
            try .jws(
                "space-inside", .refused(.malformed, at: "payload"), what: "A space stands in the middle of the payload.",
                why: "Lenient decoders skip it; what is signed are the characters."
            ) {
                let parts = try parts()
                let half = parts[1].index(parts[1].startIndex, offsetBy: 40)
                return [parts[0], parts[1][..<half] + " " + parts[1][half...], parts[2]].joined(separator: ".")
            },
            try .jws(
                "four-parts", .refused(.malformed, at: "parts"), what: "A fourth part follows the signature.",
                why: "Code that splits and takes the first three does not see it."
            ) { try genuine() + ".e30" },
            try .jws(
                "two-parts", .refused(.malformed, at: "parts"), what: "The signature and its dot are missing.",
                why: "Code that decodes before it checks hands out the payload."
            ) { try parts().prefix(2).joined(separator: ".") },
            try .jws(
                "json-serialization", .refused(.malformed, at: "parts"),
                what: "It is in the JSON form of RFC 7515, not in the compact one.",
                why: "That form has an unsigned header, and room for a second signature."
            ) {
                let parts = try parts()
                return #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#
            },
        ]
    }
}
