import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

/// Truncated and mutated input: each is refused with a typed error or has no effect, and none ends the process.
@Suite struct HostileMessageTests {
    /// Bytes that are likely to change the meaning of structured fields and of JSON.
    private static let interesting = Array(#"()":;=,?*-.\ 0"#.utf8) + [0, 0x7F, 0x80, 0xFF, UInt8(ascii: "\n"), UInt8(ascii: "\t")]

    /// Returns a text with one to four random edits: a changed, removed, inserted or repeated part.
    private func mutated(_ text: String, _ random: inout SeededRandom) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, index + Int.random(in: 0...8, using: &random))
            let byte =
                Bool.random(using: &random)
                ? Self.interesting.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where index < bytes.count: bytes[index] = byte
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
            case 3: bytes.removeSubrange(index...)
            default: bytes.insert(byte, at: index)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a truncated field is refused`() throws {
        let exchange = try Exchange()
        for field in ["Signature-Input", "Signature", "Content-Digest"] {
            let value = try #require(exchange.response.fields[field])
            for count in 0..<value.utf8.count {
                var truncated = exchange
                truncated.response.fields[field] = String(decoding: value.utf8.prefix(count), as: UTF8.self)
                #expect(throws: MessageSignatureError.self) { try truncated.verify() }
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func `a mutated response is refused, or verified with the signed values`(_ seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        let exchange = try Exchange(lifetime: 60)
        let signed = try exchange.verify()
        let verifier = try ResponseVerifier(keys: Sample.keys(exchange.key))
        for _ in 0..<2_000 {
            var changed = exchange
            for field in ["Signature-Input", "Signature", "Content-Digest", "Content-Type"] where Bool.random(using: &random) {
                changed.response.fields[field] = mutated(try #require(exchange.response.fields[field]), &random)
            }
            do throws(MessageSignatureError) {
                let verified = try verifier.verify(
                    changed.response, to: changed.request, nonce: changed.nonce, at: changed.now)
                // Spaces and other forms of the same signature have no effect.
                #expect(verified == signed)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func `mutated dictionaries are read or refused, and are stable when written`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let sample = #"sig=("@status" "x";req;k=-1.5);created=1;keyid="a\"b", b=?0, c=:AAEC:;tok=a/b:c, d;e=*x, f=(), g=12"#
        for _ in 0..<5_000 {
            guard let dictionary = try? StructuredFieldParser.dictionary(mutated(sample, &random)) else { continue }
            for member in dictionary.members {
                let text =
                    switch member.value {
                    case .item(let item): item.serialized
                    case .list(let list): list.serialized
                    }
                let again = try? StructuredFieldParser.dictionary("\(member.key)=\(text)")
                #expect(again?.members == [member], "\(text)")
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func `a mutated lease is refused`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let key = try Sample.key()
        let device = key.verificationKey.thumbprint
        let payload = LeasePayload(
            issuer: "i", customer: "c", bundleID: .test, issuedAt: .testStart, expires: .testStart.adding(days: 1), id: "1",
            deviceKey: device, entitlements: [LeasedEntitlement("book")])
        let lease = try LeaseIssuer(key: key).issue(payload)
        let verifier = LeaseVerifier(keys: try Sample.keys(key), issuer: "i", bundleID: .test)
        for _ in 0..<2_000 {
            let changed = SignedLease(mutated(lease.compact, &random))
            guard changed != lease else { continue }
            #expect(throws: LeaseError.self) { try verifier.verify(changed, deviceKey: device, at: .testStart) }
        }
    }

    @Test(arguments: 0..<2 as Range<UInt64>) func `mutated claims with a valid signature are refused or valid`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let key = try Sample.key()
        let device = key.verificationKey.thumbprint
        let claims =
            #"{"aud":"a","cnf":{"jkt":"\#(device)"},"entitlements":[{"name":"book","until":1738331296}],"exp":1738331696,"iat":1738326896,"iss":"i","jti":"1","sub":"c"}"#
        let verifier = LeaseVerifier(keys: try Sample.keys(key), issuer: "i", bundleID: "a")
        let header = Base64URLText.encode(#"{"alg":"ES256","kid":"2025-01","typ":"lease+jwt"}"#)
        for _ in 0..<1_000 {
            let text = header + "." + Base64URLText.encode(mutated(claims, &random))
            let lease = SignedLease(try text + "." + Base64URLText.encode(key.sign(Array(text.utf8))))
            guard let verified = try? verifier.verify(lease, deviceKey: device, at: .testStart) else { continue }
            #expect(throws: Never.self) { try verified.payload.validate() }
        }
    }

    @Test(arguments: 0..<2 as Range<UInt64>) func `a mutated set of keys is read or refused`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let keys = try Sample.keys(Sample.key("a"), Sample.key("b"))
        let document = String(decoding: keys.jwks, as: UTF8.self)
        for _ in 0..<2_000 {
            guard let read = try? VerificationKeySet(jwks: Array(mutated(document, &random).utf8)) else { continue }
            #expect((1...2).contains(read.keys.count))
            #expect(try VerificationKeySet(jwks: Array(read.jwks)) == read)
        }
    }
}
