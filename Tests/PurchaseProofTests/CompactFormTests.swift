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
        builder = try TokenBuilder(payload: String(decoding: WireJSON.encode(TransactionPayload.sample()), as: UTF8.self))
        verifier = try TestAuthority.shared.verifier()
    }

    @Test func `a plain token is accepted`() async throws {
        var typed = builder
        typed.members = #","typ":"JWT","kid":"any""#
        _ = try await verifier.verify(SignedTransaction(builder.build()))
        _ = try await verifier.verify(SignedTransaction(typed.build()))
    }

    struct Trick: Sendable, CustomTestStringConvertible {
        let name: String
        let refusal: SignedDataError
        let play: @Sendable (inout TokenBuilder) throws -> Void

        init(_ name: String, _ refusal: SignedDataError, _ play: @escaping @Sendable (inout TokenBuilder) throws -> Void) {
            self.name = name
            self.refusal = refusal
            self.play = play
        }

        var testDescription: String { name }
    }

    static let noRoot = SignedDataError.untrusted(reason: "It holds no root that counts for its environment.")
    static let noChain = SignedDataError.untrusted(reason: "No trusted root leads to its signer as of the time it was signed.")
    static let noMatch = SignedDataError.untrusted(reason: "The signature does not match the payload.")

    static let tricks: [Trick] = [
        Trick("no algorithm", .algorithm("none")) { $0.algorithm = "none" },
        Trick("no algorithm, no chain, no signature", .algorithm("none")) {
            $0.algorithm = "none"
            $0.certificates = []
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        Trick("algorithm in another case", .algorithm("es256")) { $0.algorithm = "es256" },
        Trick("symmetric algorithm", .algorithm("HS256")) { $0.algorithm = "HS256" },
        Trick("RSA", .algorithm("RS256")) { $0.algorithm = "RS256" },
        Trick("an algorithm that is a story", .algorithm("unknown")) { $0.algorithm = "a long story about secrets" },
        Trick("a key of its own", .algorithm("jwk")) { $0.members = #","jwk":{"kty":"EC"}"# },
        Trick("a key to fetch", .algorithm("jku")) { $0.members = #","jku":"https://example.com""# },
        Trick("certificates to fetch", .algorithm("x5u")) { $0.members = #","x5u":"https://example.com""# },
        Trick("something critical", .algorithm("crit")) { $0.members = #","crit":["exp"]"# },
        Trick("two certificates", .malformed(path: "header.x5c")) { $0.certificates.removeLast() },
        Trick("four certificates", .malformed(path: "header.x5c")) { $0.certificates.append($0.certificates[2]) },
        Trick("no certificate", .malformed(path: "header.x5c")) { $0.certificates = [] },
        Trick("a certificate in base64url", .malformed(path: "header.x5c")) {
            $0.certificates[0] = $0.certificates[0].replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        Trick("a certificate that is none", .malformed(path: "header.x5c")) { $0.certificates[1] = "MAA=" },
        Trick("a certificate with a tail", .malformed(path: "header.x5c")) {
            let der = Data(base64Encoded: $0.certificates[0]) ?? Data()
            $0.certificates[0] = (der + [0]).base64EncodedString()
        },
        Trick("leaf and intermediate swapped", noChain) { $0.certificates.swapAt(0, 1) },
        Trick("leaf and root swapped", noRoot) { $0.certificates.swapAt(0, 2) },
        Trick("root three times", noChain) { $0.certificates = Array(repeating: $0.certificates[2], count: 3) },
        Trick("the chain of strangers", noRoot) {
            $0.certificates = try TokenBuilder.chain(of: .other)
            $0.key = TestAuthority.other.authority.signedDataKey
        },
        Trick("the chain of strangers with our root", noChain) {
            $0.certificates = try Array(TokenBuilder.chain(of: .other).prefix(2)) + [$0.certificates[2]]
            $0.key = TestAuthority.other.authority.signedDataKey
        },
        Trick("another key", noMatch) { $0.key = P256.Signing.PrivateKey() },
        Trick("payload changed", noMatch) {
            $0.finish = { text in
                let parts = text.split(separator: ".")
                let json = String(decoding: Base64URL.decode(parts[1].utf8) ?? [], as: UTF8.self)
                return "\(parts[0]).\(Base64URL.encode(Array(json.replacing("credits5", with: "credits9").utf8))).\(parts[2])"
            }
        },
        Trick("padding", .malformed(path: "signature")) { $0.finish = { $0 + "==" } },
        Trick("a line break", .malformed(path: "signature")) { $0.finish = { $0 + "\n" } },
        Trick("signature cut", .malformed(path: "signature")) { $0.finish = { String($0.dropLast(4)) } },
        Trick("no signature", .malformed(path: "signature")) {
            $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        Trick("a fourth part", .malformed(path: "parts")) { $0.finish = { $0 + ".AAAA" } },
        Trick("two parts", .malformed(path: "parts")) { $0.finish = { $0.split(separator: ".").prefix(2).joined(separator: ".") } },
        Trick("nothing", .malformed(path: "parts")) { $0.finish = { _ in "" } },
        Trick("only dots", .malformed(path: "header")) { $0.finish = { _ in ".." } },
        Trick("too long", .malformed(path: "size")) { $0.finish = { $0 + String(repeating: "A", count: 1 << 20) } },
        Trick("no JSON", .malformed(path: "payload")) { $0.payload = "hello" },
        Trick("JSON of something else", .malformed(path: "payload")) { $0.payload = "{}" },
        Trick("deep JSON", .malformed(path: "payload")) { $0.payload = String(repeating: "[", count: 100_000) },
    ]

    @Test(arguments: tricks) func `a trick has no effect but its error`(trick: Trick) async throws {
        var builder = builder
        try trick.play(&builder)
        let signed = SignedTransaction(try builder.build())
        await #expect(throws: trick.refusal) { try await verifier.verify(signed) }
    }

    @Test func `a change of any character is refused`() async throws {
        let text = Array(try builder.build().utf8)
        var random = SeededRandom(seed: 6)
        for place in stride(from: 0, to: text.count, by: 3) {
            var changed = text
            changed[place] = (33...126).filter { $0 != text[place] }.randomElement(using: &random) ?? 0
            let signed = SignedTransaction(String(decoding: changed, as: UTF8.self))
            await #expect(throws: SignedDataError.self, "character \(place)") { try await verifier.verify(signed) }
        }
    }
}
