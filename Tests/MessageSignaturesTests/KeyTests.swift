import Foundation
import Testing

@testable import MessageSignatures

@Suite struct KeyTests {
    /// Public keys as JSON Web Keys, with their thumbprints.
    static let published: [(String, x: String, y: String, thumbprint: String)] = [
        // The thumbprint was computed with Python's hashlib and json.
        (
            "RFC 7517, appendix A.1", "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4", "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
            "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"
        ),
        (
            "RFC 9449, figure 2 and section 6.1", "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
            "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
        ),
    ]

    private func jwks(_ keys: String...) -> [UInt8] { Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8) }

    private func key(_ x: String, _ y: String, _ members: String = #""kid":"1""#) -> String {
        #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)",\#(members)}"#
    }

    @Test(arguments: published) func `a thumbprint is that of RFC 7638`(_ name: String, _ x: String, _ y: String, _ thumbprint: String)
        throws
    {
        let keys = try VerificationKeySet(jwks: jwks(key(x, y, #""use":"sig","kid":"1","other":{"a":[null]}"#)))
        #expect(keys["1"]?.thumbprint.rawValue == thumbprint)
        #expect(KeyThumbprint(thumbprint) == keys["1"]?.thumbprint)
        #expect(keys["2"] == nil)
    }

    @Test func `keys are read from each of their forms`() throws {
        let signing = try P256SigningKey(newWithID: "a")
        let key = signing.verificationKey
        #expect(try P256SigningKey(pem: signing.pem, id: "a").verificationKey == key)
        #expect(try P256VerificationKey(pem: key.pem, id: "a") == key)
        #expect(try P256VerificationKey(x963: key.x963, id: "a") == key)
        #expect(try P256VerificationKey(x963: key.x963) != key)
        #expect(try P256VerificationKey(x963: key.x963).id == key.thumbprint.rawValue)
        #expect(try VerificationKeySet(jwks: Array(VerificationKeySet([key]).jwks)).keys == [key])
    }

    @Test func `a set of keys is a JSON Web Key Set`() throws {
        let (_, x, y, _) = Self.published[0]
        let keys = try VerificationKeySet(jwks: jwks(key(x, y, #""kid":"a\"\\b""#)))
        #expect(keys.keys.map(\.id) == [#"a"\b"#])
        let expected = #"{"keys":[{"alg":"ES256","crv":"P-256","kid":"a\"\\b","kty":"EC","use":"sig","x":"\#(x)","y":"\#(y)"}]}"#
        #expect(String(decoding: keys.jwks, as: UTF8.self) == expected)
        #expect(try VerificationKeySet(jwks: Array(keys.jwks)) == keys)
    }

    @Test func `keys that cannot verify are ignored`() throws {
        let (_, x, y, _) = Self.published[0]
        let good = key(x, y)
        for other in [
            #"{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"rsa"}"#, #"{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"ed"}"#,
            key(x, y, #""kid":"2","use":"enc""#), key(x, y, #""kid":"2","alg":"ES384""#), key(x, y, #""use":"sig""#),
            key(x, y, #""kid":"""#),
            key(x, y, #""kid":"a b""#), key(y, x, #""kid":"off the curve""#), key("", y), key(x, y + "="), key(x, String(y.dropLast())),
            key(x, x + y),
            #"{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)","kid":"2"}"#, #"{"kty":"EC","crv":"P-256","x":"\#(x)","kid":"2"}"#,
        ] {
            #expect(try VerificationKeySet(jwks: jwks(other, good)).keys.map(\.id) == ["1"], "\(other)")
            #expect(throws: KeySetError.noUsableKey, "\(other)") { try VerificationKeySet(jwks: jwks(other)) }
        }
    }

    @Test func `a document that is not a set of public keys is refused`() throws {
        let (_, x, y, _) = Self.published[0]
        for (document, error) in [
            ("", .malformed(place: "jwks")), ("[]", .malformed(place: "jwks")), ("{}", .malformed(place: "jwks.keys")),
            (#"{"keys":{}}"#, .malformed(place: "jwks.keys")), (#"{"keys":[1]}"#, .malformed(place: "jwks.keys[0]")),
            (#"{"keys":[{}]}"#, .malformed(place: "jwks.keys[0].kty")), (#"{"keys":[{"kty":1}]}"#, .malformed(place: "jwks.keys[0].kty")),
            (#"{"keys":[]}"#, .noUsableKey), (#"{"keys":[],"keys":[]}"#, .malformed(place: "jwks.keys")),
            (#"{"keys":[\#(key(x, y)),\#(key(x, y))]}"#, .duplicateID("1")),
            (#"{"keys":[\#(key(x, y, #""kid":"1","d":"AA""#))]}"#, .privateKey), (#"{"keys":[{"kty":"oct","k":"AA"}]}"#, .privateKey),
            (#"{"keys":[\#(Array(repeating: #"{"kty":"x"}"#, count: 33).joined(separator: ","))]}"#, .tooManyKeys(limit: 32)),
            (String(repeating: " ", count: 65_537), .tooLarge(limit: 65_536)),
        ] as [(String, KeySetError)] {
            #expect(throws: error, "\(document.prefix(100))") { try VerificationKeySet(jwks: Array(document.utf8)) }
        }
        #expect(throws: KeySetError.noUsableKey) { try VerificationKeySet([]) }
    }

    @Test(arguments: ["", "a b", "ä", "a\n", String(repeating: "a", count: 129)])
    func `an identifier that is not visible ASCII is refused`(_ id: String) throws {
        let key = try P256SigningKey(newWithID: "a")
        #expect(throws: SigningKeyError.invalidID) { try P256SigningKey(newWithID: id) }
        #expect(throws: SigningKeyError.invalidID) { try P256SigningKey(pem: key.pem, id: id) }
        #expect(throws: SigningKeyError.invalidID) { try P256VerificationKey(pem: key.verificationKey.pem, id: id) }
    }

    @Test func `what is not a key is refused`() throws {
        let key = try P256SigningKey(newWithID: "a")
        #expect(throws: SigningKeyError.invalidKey) { try P256SigningKey(pem: key.verificationKey.pem, id: "a") }
        #expect(throws: SigningKeyError.invalidKey) { try P256VerificationKey(pem: key.pem, id: "a") }
        #expect(throws: SigningKeyError.invalidKey) { try P256VerificationKey(x963: Array(key.verificationKey.x963.dropLast())) }
        #expect(throws: SigningKeyError.invalidKey) { try P256VerificationKey(x963: Array(repeating: 4, count: 65)) }
        #expect(throws: SigningKeyError.invalidKey) { try P256VerificationKey(x963: []) }
    }

    @Test func `a description of a private key does not contain the key`() throws {
        let key = try P256SigningKey(newWithID: "a")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(text.utf8.count < 80 && text.contains("a")) }
        #expect("\(key)" == "P256SigningKey(a)")
    }

    @Test(arguments: [
        "", "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-", "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-t",
        "cn+I/WNMClehiVp51i/0VpOENW1upEerA8sEam5hn+s",
    ])
    func `a text that is not the base64url of 32 bytes is no thumbprint`(_ text: String) {
        #expect(KeyThumbprint(text) == nil)
    }
}
