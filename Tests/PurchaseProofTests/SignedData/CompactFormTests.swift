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
    func `header members other than keys have no effect`(members: String) async throws {
        var builder = builder
        builder.members = members
        _ = try await verifier.verify(SignedTransaction(builder.build()))
    }

    @Test func `white space and escaped slashes in the header have no effect`() async throws {
        var builder = builder
        let x5c = builder.certificates.map { "\"\($0.replacing("/", with: #"\/"#))\"" }.joined(separator: " ,\n")
        #expect(x5c.contains(#"\/"#))
        builder.header = "\t{ \"x5c\" : [ \(x5c) ] ,\r\n \"alg\" : \"ES256\" } "
        _ = try await verifier.verify(SignedTransaction(builder.build()))
    }

    static let tamperings: [TokenTampering] = [
        TokenTampering("no algorithm", .algorithm("none"), at: "header.alg") { $0.algorithm = "none" },
        TokenTampering("no algorithm, no chain, no signature", .algorithm("none"), at: "header.alg") {
            $0.header = #"{"alg":"none"}"#
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        TokenTampering("algorithm in another case", .algorithm("es256"), at: "header.alg") { $0.algorithm = "es256" },
        TokenTampering("symmetric algorithm", .algorithm("HS256"), at: "header.alg") { $0.algorithm = "HS256" },
        TokenTampering("RSA", .algorithm("RS256"), at: "header.alg") { $0.algorithm = "RS256" },
        TokenTampering("P-384", .algorithm("ES384"), at: "header.alg") { $0.algorithm = "ES384" },
        TokenTampering("an algorithm that is a sentence", .algorithm("unknown"), at: "header.alg") {
            $0.algorithm = "a long story about secrets"
        },
        TokenTampering("an escaped algorithm name", .algorithm("unknown"), at: "header.alg") { $0.algorithm = #"\u0045S256"# },
        TokenTampering("an algorithm that is a number", .algorithm("unknown"), at: "header.alg") { $0.header = #"{"alg":256,"x5c":[]}"# },
        TokenTampering("no algorithm member", .malformed, at: "header.alg") { $0.header = #"{"x5c":[]}"# },
        TokenTampering("an embedded key", .algorithm("jwk"), at: "header.jwk") { $0.members = #","jwk":{"kty":"EC"}"# },
        TokenTampering("a key to fetch", .algorithm("jku"), at: "header.jku") { $0.members = #","jku":"https://example.com""# },
        TokenTampering("certificates to fetch", .algorithm("x5u"), at: "header.x5u") { $0.members = #","x5u":"https://example.com""# },
        TokenTampering("a critical extension", .algorithm("crit"), at: "header.crit") { $0.members = #","crit":["exp"]"# },
        TokenTampering("a payload that is not base64url", .algorithm("b64"), at: "header.b64") { $0.members = #","b64":false"# },
        TokenTampering("a compressed payload", .algorithm("zip"), at: "header.zip") { $0.members = #","zip":"DEF""# },
        TokenTampering("an encrypted payload", .algorithm("enc"), at: "header.enc") { $0.members = #","enc":"A256GCM""# },
        TokenTampering("a refused member that is null", .algorithm("jwk"), at: "header.jwk") { $0.members = #","jwk":null"# },
        TokenTampering("a key identifier that is a key", .malformed, at: "header.kid") { $0.members = #","kid":{"kty":"EC"}"# },
        TokenTampering("a type that is a list", .malformed, at: "header.typ") { $0.members = #","typ":["JWT"]"# },
        TokenTampering("two algorithms", .malformed, at: "header.alg") { $0.members = #","alg":"none""# },
        TokenTampering("the second algorithm escaped", .malformed, at: "header") { $0.members = #","\u0061lg":"none""# },
        TokenTampering("two chains", .malformed, at: "header.x5c") { $0.members = #","x5c":[]"# },
        TokenTampering("a repeated nested member", .malformed, at: "header.future[1].a") { $0.members = #","future":[0,{"a":1,"a":1}]"# },
        TokenTampering("two certificates", .chain, at: "header.x5c") { $0.certificates.removeLast() },
        TokenTampering("four certificates", .chain, at: "header.x5c") { $0.certificates.append($0.certificates[2]) },
        TokenTampering("no certificate", .chain, at: "header.x5c") { $0.certificates = [] },
        TokenTampering("one certificate outside of Xcode", .chain, at: "header.x5c") { $0.certificates.removeLast(2) },
        TokenTampering("no chain", .malformed, at: "header.x5c") { $0.header = #"{"alg":"ES256"}"# },
        TokenTampering("a chain that is a string", .malformed, at: "header.x5c") { $0.header = #"{"alg":"ES256","x5c":"MAA="}"# },
        TokenTampering("a certificate that is a number", .malformed, at: "header.x5c[1]") {
            $0.header = #"{"alg":"ES256","x5c":["MAA=",7,"MAA="]}"#
        },
        TokenTampering("a certificate that is a list", .malformed, at: "header.x5c[0]") {
            $0.header = #"{"alg":"ES256","x5c":[["MAA="],"MAA=","MAA="]}"#
        },
        TokenTampering("a certificate in base64url", .malformed, at: "header.x5c[0]") {
            $0.certificates[0] = $0.certificates[0].replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        TokenTampering("a line break in a certificate", .malformed, at: "header.x5c[1]") {
            $0.certificates[1].insert(contentsOf: #"\n"#, at: $0.certificates[1].index($0.certificates[1].startIndex, offsetBy: 64))
        },
        TokenTampering("an escaped letter in a certificate", .malformed, at: "header.x5c[2]") {
            $0.certificates[2] = #"\u004d"# + $0.certificates[2].dropFirst()
        },
        TokenTampering("stray bits in a certificate's base64", .malformed, at: "header.x5c[0]") { $0.certificates[0] = "MAB=" },
        TokenTampering("an empty certificate", .malformed, at: "header.x5c[1]") { $0.certificates[1] = "" },
        TokenTampering("an invalid certificate", .malformed, at: "header.x5c[1]") { $0.certificates[1] = "MAA=" },
        TokenTampering("a certificate with trailing bytes", .malformed, at: "header.x5c[0]") {
            let der = Data(base64Encoded: $0.certificates[0]) ?? Data()
            $0.certificates[0] = (der + [0]).base64EncodedString()
        },
        TokenTampering("another key", .signature, at: "signature") { $0.key = .p256(P256.Signing.PrivateKey()) },
        TokenTampering("payload changed", .signature, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                let json = String(decoding: Base64URL.decode(parts[1].utf8) ?? [], as: UTF8.self)
                return "\(parts[0]).\(Base64URL.encode(Array(json.replacing("credits5", with: "credits9").utf8))).\(parts[2])"
            }
        },
        TokenTampering("another member in the header", .signature, at: "signature") {
            let other = Base64URL.encode(
                Array("{\"alg\":\"ES256\",\"x5c\":[\($0.certificates.map { "\"\($0)\"" }.joined(separator: ","))],\"a\":1}".utf8))
            $0.finish = { text in "\(other).\(text.split(separator: ".").dropFirst().joined(separator: "."))" }
        },
        TokenTampering("a signature of zeros", .signature, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))"
            }
        },
        TokenTampering("a DER signature", .malformed, at: "signature") {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                let raw = Base64URL.decode(parts[2].utf8) ?? []
                let der = (try? P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation) ?? Data()
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode(der))"
            }
        },
        TokenTampering("padding", .malformed, at: "signature") { $0.finish = { $0 + "==" } },
        TokenTampering("padding of the header", .malformed, at: "header") {
            $0.finish = { $0.replacing(".", with: "=.", maxReplacements: 1) }
        },
        TokenTampering("a line break", .malformed, at: "signature") { $0.finish = { $0 + "\n" } },
        TokenTampering("a byte order mark", .malformed, at: "header") { $0.finish = { "\u{FEFF}" + $0 } },
        TokenTampering("stray bits in the signature's base64", .malformed, at: "signature") {
            $0.finish = { text in
                let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
                let last = text.last.flatMap { alphabet.firstIndex(of: $0) } ?? 0
                return text.dropLast() + String(alphabet[last | 1])
            }
        },
        TokenTampering("a truncated signature", .malformed, at: "signature") { $0.finish = { String($0.dropLast(4)) } },
        TokenTampering("no signature", .malformed, at: "signature") {
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        TokenTampering("a fourth part", .malformed, at: "parts") { $0.finish = { $0 + ".AAAA" } },
        TokenTampering("two parts", .malformed, at: "parts") { $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") } },
        TokenTampering("JSON serialization", .malformed, at: "header") { $0.finish = { "{\"payload\":\"\($0)" } },
        TokenTampering("empty text", .malformed, at: "parts") { $0.finish = { _ in "" } },
        TokenTampering("only dots", .malformed, at: "header") { $0.finish = { _ in ".." } },
        TokenTampering("too long", .tooLarge(limit: CompactForm.maximumSize), at: "size") {
            $0.finish = { $0 + String(repeating: "A", count: 1 << 20) }
        },
        TokenTampering("a header that is too long", .tooLarge(limit: CompactForm.maximumHeader), at: "header") {
            $0.members = ",\"a\":\"\(String(repeating: "A", count: 1 << 16))\""
        },
        TokenTampering("no JSON", .malformed, at: "payload") { $0.payload = "hello" },
        TokenTampering("JSON that is not an object", .malformed, at: "payload") { $0.payload = "[]" },
        TokenTampering("JSON of another kind", .malformed, at: "payload.transactionId") { $0.payload = "{}" },
        TokenTampering("two dates", .malformed, at: "payload.signedDate") { $0.payload = $0.payload.dropLast() + #","signedDate":1}"# },
        TokenTampering("two bundles, one escaped", .malformed, at: "payload") {
            $0.payload = $0.payload.dropLast() + #","bundle\u0049d":"com.example.other"}"#
        },
        TokenTampering("deep JSON", .tooLarge(limit: JSONScanner.maximumDepth), at: "payload.a" + String(repeating: "[0]", count: 15)) {
            $0.payload = "{\"a\":" + String(repeating: "[", count: 100_000)
        },
        TokenTampering("UTF-16", .malformed, at: "payload") { $0.payload = "{\0\"\0" },
        TokenTampering("a date that is text", .malformed, at: "payload.signedDate") {
            $0.payload = $0.payload.replacing(#""signedDate":1738326896000"#, with: #""signedDate":"1738326896000""#)
        },
        TokenTampering("no date", .malformed, at: "payload.signedDate") {
            $0.payload = $0.payload.replacing(#""signedDate":1738326896000"#, with: #""signed":1738326896000"#)
        },
    ]

    @Test(arguments: tamperings) func `a tampered token is refused with its reason and place`(tampering: TokenTampering) async throws {
        var builder = builder
        try tampering.apply(&builder)
        let signed = SignedTransaction(try builder.build())
        await #expect(throws: VerificationFailure.refused(tampering.reason, at: tampering.place)) { try await verifier.verify(signed) }
    }

    struct ChainTampering: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout TokenBuilder) throws -> Void

        init(_ name: String, _ apply: @escaping @Sendable (inout TokenBuilder) throws -> Void) {
            testDescription = name
            self.apply = apply
        }
    }

    @Test(arguments: [
        ChainTampering("leaf and intermediate swapped") { $0.certificates.swapAt(0, 1) },
        ChainTampering("leaf and root swapped") { $0.certificates.swapAt(0, 2) },
        ChainTampering("root three times") { $0.certificates = Array(repeating: $0.certificates[2], count: 3) },
        ChainTampering("a foreign chain") {
            $0.certificates = try TokenBuilder.chain(of: .other)
            $0.key = TestAuthority.other.authority.signedDataSigner
        },
        ChainTampering("a foreign chain with the trusted root") {
            $0.certificates = try Array(TokenBuilder.chain(of: .other).prefix(2)) + [$0.certificates[2]]
            $0.key = TestAuthority.other.authority.signedDataSigner
        },
    ])
    func `a chain that does not lead to a trusted root is refused, with or without a cached chain`(tampering: ChainTampering) async throws {
        var tampered = builder
        try tampering.apply(&tampered)
        let signed = SignedTransaction(try tampered.build())
        for _ in 0..<2 {
            let error = await #expect(throws: VerificationFailure.self) { try await verifier.verify(signed) }
            #expect([.chain, .untrustedRoot].contains(error?.refusalReason))
            // The genuine chain is cached from here on.
            _ = try await verifier.verify(SignedTransaction(builder.build()))
        }
    }

    @Test(arguments: [
        ("MAA=", true), ("MAB=", false), ("MAA", false), ("MA==", true), ("MB==", false), ("MAA= ", false), ("", false), ("MAAA", true),
        ("MA-_", false), ("====", false),
    ])
    func `a certificate has one base64 encoding`(text: String, isValid: Bool) throws {
        var builder = builder
        builder.certificates[1] = text
        let jws = try CompactJWS(builder.build())
        do throws(Refusal) {
            #expect(try jws.encodedCertificates()[1] == Array(Data(base64Encoded: text) ?? Data()))
            #expect(isValid)
        } catch {
            #expect(!isValid)
            #expect(error == Refusal(.malformed, at: "header.x5c[1]"))
        }
    }

    @Test func `a change of any character is refused`() async throws {
        let text = Array(try builder.build().utf8)
        // The chain is cached from here on, as it is in a server.
        _ = try await verifier.verify(SignedTransaction(builder.build()))
        var random = SeededRandom(seed: 6)
        for place in text.indices {
            var changed = text
            changed[place] = (33...126).filter { $0 != text[place] }.randomElement(using: &random) ?? 0
            let signed = SignedTransaction(String(decoding: changed, as: UTF8.self))
            await #expect(throws: VerificationFailure.self, "character \(place)") { try await verifier.verify(signed) }
        }
    }

    @Test func `a truncated token is refused`() async throws {
        let text = try builder.build()
        for count in 0..<text.count {
            let signed = SignedTransaction(String(text.prefix(count)))
            await #expect(throws: VerificationFailure.self, "\(count) characters") { try await verifier.verify(signed) }
        }
    }

    @Test func `a refused token can be inspected`() throws {
        var tampered = builder
        tampered.algorithm = "none"
        tampered.certificates[1] = "?"
        let jws = try UnverifiedJWS(tampered.build())
        #expect(String(decoding: jws.payload, as: UTF8.self) == tampered.payload)
        #expect(String(decoding: jws.header, as: UTF8.self).hasPrefix(#"{"alg":"none""#))
        #expect(jws.kind == .transaction)
        #expect(jws.certificates.map { Data($0).base64EncodedString() } == [tampered.certificates[0], tampered.certificates[2]])
        #expect(jws.signature.count == 64)
    }
}
