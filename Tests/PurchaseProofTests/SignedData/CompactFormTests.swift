import Crypto
import Foundation
import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import PurchaseIssuing
@testable import PurchaseProof

@Suite struct CompactFormTests {
    private let builder: TokenBuilder
    private let verifier: SignedDataVerifier

    init() throws {
        builder = try TokenBuilder(TransactionPayload.sample())
        verifier = try TestAuthority.shared.verifier()
    }

    @Test(arguments: ["", #","typ":"JWT","kid":"any""#, #","kid":"../../keys/1","future":{"a":[1]}"#, #","kid":"'; DROP TABLE keys""#])
    func `members that are no key have no effect`(members: String) async throws {
        var builder = builder
        builder.members = members
        _ = try await verifier.verify(SignedTransaction(builder.build()))
    }

    @Test func `white space and escaped slashes between header and certificates change nothing`() async throws {
        var builder = builder
        let x5c = builder.certificates.map { "\"\($0.replacing("/", with: #"\/"#))\"" }.joined(separator: " ,\n")
        #expect(x5c.contains(#"\/"#))
        builder.header = "\t{ \"x5c\" : [ \(x5c) ] ,\r\n \"alg\" : \"ES256\" } "
        _ = try await verifier.verify(SignedTransaction(builder.build()))
    }

    static let tricks: [TokenTrick] = [
        TokenTrick("no algorithm", .algorithm("none"), at: "header.alg") { $0.algorithm = "none" },
        TokenTrick("no algorithm, no chain, no signature", .algorithm("none"), at: "header.alg") {
            $0.header = #"{"alg":"none"}"#
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        TokenTrick("algorithm in another case", .algorithm("es256"), at: "header.alg") { $0.algorithm = "es256" },
        TokenTrick("symmetric algorithm", .algorithm("HS256"), at: "header.alg") { $0.algorithm = "HS256" },
        TokenTrick("RSA", .algorithm("RS256"), at: "header.alg") { $0.algorithm = "RS256" },
        TokenTrick("P-384", .algorithm("ES384"), at: "header.alg") { $0.algorithm = "ES384" },
        TokenTrick("an algorithm that is a story", .algorithm("unknown"), at: "header.alg") { $0.algorithm = "a long story about secrets" },
        TokenTrick("the algorithm's name escaped", .algorithm("unknown"), at: "header.alg") { $0.algorithm = #"\u0045S256"# },
        TokenTrick("the algorithm a number", .algorithm("unknown"), at: "header.alg") { $0.header = #"{"alg":256,"x5c":[]}"# },
        TokenTrick("the algorithm left out", .malformed, at: "header.alg") { $0.header = #"{"x5c":[]}"# },
        TokenTrick("a key of its own", .algorithm("jwk"), at: "header.jwk") { $0.members = #","jwk":{"kty":"EC"}"# },
        TokenTrick("a key to fetch", .algorithm("jku"), at: "header.jku") { $0.members = #","jku":"https://example.com""# },
        TokenTrick("certificates to fetch", .algorithm("x5u"), at: "header.x5u") { $0.members = #","x5u":"https://example.com""# },
        TokenTrick("something critical", .algorithm("crit"), at: "header.crit") { $0.members = #","crit":["exp"]"# },
        TokenTrick("a payload that is not base64url", .algorithm("b64"), at: "header.b64") { $0.members = #","b64":false"# },
        TokenTrick("a payload that is compressed", .algorithm("zip"), at: "header.zip") { $0.members = #","zip":"DEF""# },
        TokenTrick("a payload that is encrypted", .algorithm("enc"), at: "header.enc") { $0.members = #","enc":"A256GCM""# },
        TokenTrick("a refused member that is null", .algorithm("jwk"), at: "header.jwk") { $0.members = #","jwk":null"# },
        TokenTrick("a key's name that is a key", .malformed, at: "header.kid") { $0.members = #","kid":{"kty":"EC"}"# },
        TokenTrick("a type that is a list", .malformed, at: "header.typ") { $0.members = #","typ":["JWT"]"# },
        TokenTrick("two algorithms", .malformed, at: "header.alg") { $0.members = #","alg":"none""# },
        TokenTrick("the second algorithm escaped", .malformed, at: "header") { $0.members = #","\u0061lg":"none""# },
        TokenTrick("two chains", .malformed, at: "header.x5c") { $0.members = #","x5c":[]"# },
        TokenTrick("two members deep inside", .malformed, at: "header.future[1].a") { $0.members = #","future":[0,{"a":1,"a":1}]"# },
        TokenTrick("two certificates", .chain, at: "header.x5c") { $0.certificates.removeLast() },
        TokenTrick("four certificates", .chain, at: "header.x5c") { $0.certificates.append($0.certificates[2]) },
        TokenTrick("no certificate", .chain, at: "header.x5c") { $0.certificates = [] },
        TokenTrick("one certificate outside of Xcode", .chain, at: "header.x5c") { $0.certificates.removeLast(2) },
        TokenTrick("no chain", .malformed, at: "header.x5c") { $0.header = #"{"alg":"ES256"}"# },
        TokenTrick("a chain that is a string", .malformed, at: "header.x5c") { $0.header = #"{"alg":"ES256","x5c":"MAA="}"# },
        TokenTrick("a certificate that is a number", .malformed, at: "header.x5c[1]") {
            $0.header = #"{"alg":"ES256","x5c":["MAA=",7,"MAA="]}"#
        },
        TokenTrick("a certificate that is a list", .malformed, at: "header.x5c[0]") {
            $0.header = #"{"alg":"ES256","x5c":[["MAA="],"MAA=","MAA="]}"#
        },
        TokenTrick("a certificate in base64url", .malformed, at: "header.x5c[0]") {
            $0.certificates[0] = $0.certificates[0].replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        TokenTrick("a line break in a certificate", .malformed, at: "header.x5c[1]") {
            $0.certificates[1].insert(contentsOf: #"\n"#, at: $0.certificates[1].index($0.certificates[1].startIndex, offsetBy: 64))
        },
        TokenTrick("an escaped letter in a certificate", .malformed, at: "header.x5c[2]") {
            $0.certificates[2] = #"\u004d"# + $0.certificates[2].dropFirst()
        },
        TokenTrick("stray bits in a certificate's base64", .malformed, at: "header.x5c[0]") { $0.certificates[0] = "MAB=" },
        TokenTrick("an empty certificate", .malformed, at: "header.x5c[1]") { $0.certificates[1] = "" },
        TokenTrick("a certificate that is none", .malformed, at: "header.x5c[1]") { $0.certificates[1] = "MAA=" },
        TokenTrick("a certificate with a tail", .malformed, at: "header.x5c[0]") {
            let der = Data(base64Encoded: $0.certificates[0]) ?? Data()
            $0.certificates[0] = (der + [0]).base64EncodedString()
        },
        TokenTrick("another key", .signature, at: "signature") { $0.key = .p256(P256.Signing.PrivateKey()) },
        TokenTrick("payload changed", .signature, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                let json = String(decoding: Base64URL.decode(parts[1].utf8) ?? [], as: UTF8.self)
                return "\(parts[0]).\(Base64URL.encode(Array(json.replacing("credits5", with: "credits9").utf8))).\(parts[2])"
            }
        },
        TokenTrick("another member in the header", .signature, at: "signature") {
            let other = Base64URL.encode(
                Array("{\"alg\":\"ES256\",\"x5c\":[\($0.certificates.map { "\"\($0)\"" }.joined(separator: ","))],\"a\":1}".utf8))
            $0.finish = { text in "\(other).\(text.split(separator: ".").dropFirst().joined(separator: "."))" }
        },
        TokenTrick("a signature of zeros", .signature, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))"
            }
        },
        TokenTrick("a DER signature", .malformed, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                let raw = Base64URL.decode(parts[2].utf8) ?? []
                let der = (try? P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation) ?? Data()
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode(der))"
            }
        },
        TokenTrick("padding", .malformed, at: "signature") { $0.finish = { $0 + "==" } },
        TokenTrick("padding of the header", .malformed, at: "header") { $0.finish = { $0.replacing(".", with: "=.", maxReplacements: 1) } },
        TokenTrick("a line break", .malformed, at: "signature") { $0.finish = { $0 + "\n" } },
        TokenTrick("a byte order mark", .malformed, at: "header") { $0.finish = { "\u{FEFF}" + $0 } },
        TokenTrick("stray bits in the signature's base64", .malformed, at: "signature") {
            $0.finish = { text in
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                let last = text.last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
                return text.dropLast() + String(alphabet[last | 1])
            }
        },
        TokenTrick("signature cut", .malformed, at: "signature") { $0.finish = { String($0.dropLast(4)) } },
        TokenTrick("no signature", .malformed, at: "signature") {
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        TokenTrick("a fourth part", .malformed, at: "parts") { $0.finish = { $0 + ".AAAA" } },
        TokenTrick("two parts", .malformed, at: "parts") { $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") } },
        TokenTrick("JSON serialization", .malformed, at: "header") { $0.finish = { "{\"payload\":\"\($0)" } },
        TokenTrick("nothing", .malformed, at: "parts") { $0.finish = { _ in "" } },
        TokenTrick("only dots", .malformed, at: "header") { $0.finish = { _ in ".." } },
        TokenTrick("too long", .tooLarge(limit: CompactForm.maximumSize), at: "size") {
            $0.finish = { $0 + String(repeating: "A", count: 1 << 20) }
        },
        TokenTrick("a header that is too long", .tooLarge(limit: CompactForm.maximumHeader), at: "header") {
            $0.members = ",\"a\":\"\(String(repeating: "A", count: 1 << 16))\""
        },
        TokenTrick("no JSON", .malformed, at: "payload") { $0.payload = "hello" },
        TokenTrick("JSON that is no object", .malformed, at: "payload") { $0.payload = "[]" },
        TokenTrick("JSON of something else", .malformed, at: "payload.transactionId") { $0.payload = "{}" },
        TokenTrick("two dates", .malformed, at: "payload.signedDate") { $0.payload = $0.payload.dropLast() + #","signedDate":1}"# },
        TokenTrick("two bundles, one escaped", .malformed, at: "payload") {
            $0.payload = $0.payload.dropLast() + #","bundle\u0049d":"com.example.other"}"#
        },
        TokenTrick("deep JSON", .tooLarge(limit: JSONScanner.maximumDepth), at: "payload.a" + String(repeating: "[0]", count: 15)) {
            $0.payload = "{\"a\":" + String(repeating: "[", count: 100_000)
        },
        TokenTrick("UTF-16", .malformed, at: "payload") { $0.payload = "{\0\"\0" },
        TokenTrick("a date that is text", .malformed, at: "payload.signedDate") {
            $0.payload = $0.payload.replacing(#""signedDate":1738326896000"#, with: #""signedDate":"1738326896000""#)
        },
        TokenTrick("no date", .malformed, at: "payload.signedDate") {
            $0.payload = $0.payload.replacing(#""signedDate":1738326896000"#, with: #""signed":1738326896000"#)
        },
    ]

    @Test(arguments: tricks) func `a trick has no effect but its refusal`(trick: TokenTrick) async throws {
        var builder = builder
        try trick.play(&builder)
        let signed = SignedTransaction(try builder.build())
        await #expect(throws: VerificationFailure.refused(trick.reason, at: trick.place)) { try await verifier.verify(signed) }
    }

    struct ChainTrick: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let play: @Sendable (inout TokenBuilder) throws -> Void

        init(_ name: String, _ play: @escaping @Sendable (inout TokenBuilder) throws -> Void) {
            testDescription = name
            self.play = play
        }
    }

    @Test(arguments: [
        ChainTrick("leaf and intermediate swapped") { $0.certificates.swapAt(0, 1) },
        ChainTrick("leaf and root swapped") { $0.certificates.swapAt(0, 2) },
        ChainTrick("root three times") { $0.certificates = Array(repeating: $0.certificates[2], count: 3) },
        ChainTrick("the chain of strangers") {
            $0.certificates = try TokenBuilder.chain(of: .other)
            $0.key = TestAuthority.other.authority.signedDataSigner
        },
        ChainTrick("the chain of strangers with our root") {
            $0.certificates = try Array(TokenBuilder.chain(of: .other).prefix(2)) + [$0.certificates[2]]
            $0.key = TestAuthority.other.authority.signedDataSigner
        },
    ])
    func `a chain that does not lead to our root is refused, remembered or not`(trick: ChainTrick) async throws {
        var tricky = builder
        try trick.play(&tricky)
        let signed = SignedTransaction(try tricky.build())
        for _ in 0..<2 {
            let error = await #expect(throws: VerificationFailure.self) { try await verifier.verify(signed) }
            #expect([.chain, .untrustedRoot].contains(error?.refusalReason))
            // From now on the good chain is remembered.
            _ = try await verifier.verify(SignedTransaction(builder.build()))
        }
    }

    @Test(arguments: [
        ("MAA=", true), ("MAB=", false), ("MAA", false), ("MA==", true), ("MB==", false), ("MAA= ", false), ("", false), ("MAAA", true),
        ("MA-_", false), ("====", false),
    ])
    func `a certificate's base64 has one spelling`(text: String, isGood: Bool) throws {
        var builder = builder
        builder.certificates[1] = text
        let jws = try CompactJWS(builder.build())
        do throws(Refusal) {
            #expect(try jws.encodedCertificates()[1] == Array(Data(base64Encoded: text) ?? Data()))
            #expect(isGood)
        } catch {
            #expect(!isGood)
            #expect(error == Refusal(.malformed, at: "header.x5c[1]"))
        }
    }

    @Test func `a change of any character is refused`() async throws {
        let text = Array(try builder.build().utf8)
        // The chain is remembered from here on, as it is in a server.
        _ = try await verifier.verify(SignedTransaction(builder.build()))
        var random = SeededRandom(seed: 6)
        for place in text.indices {
            var changed = text
            changed[place] = (33...126).filter { $0 != text[place] }.randomElement(using: &random) ?? 0
            let signed = SignedTransaction(String(decoding: changed, as: UTF8.self))
            await #expect(throws: VerificationFailure.self, "character \(place)") { try await verifier.verify(signed) }
        }
    }

    @Test func `a token cut anywhere is refused`() async throws {
        let text = try builder.build()
        for count in 0..<text.count {
            let signed = SignedTransaction(String(text.prefix(count)))
            await #expect(throws: VerificationFailure.self, "\(count) characters") { try await verifier.verify(signed) }
        }
    }

    @Test func `what a verifier refuses can still be looked at`() throws {
        var tricky = builder
        tricky.algorithm = "none"
        tricky.certificates[1] = "?"
        let jws = try UnverifiedJWS(tricky.build())
        #expect(String(decoding: jws.payload, as: UTF8.self) == tricky.payload)
        #expect(String(decoding: jws.header, as: UTF8.self).hasPrefix(#"{"alg":"none""#))
        #expect(jws.kind == .transaction)
        #expect(jws.certificates.map { Data($0).base64EncodedString() } == [tricky.certificates[0], tricky.certificates[2]])
        #expect(jws.signature.count == 64)
    }
}
