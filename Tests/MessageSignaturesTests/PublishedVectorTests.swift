import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

/// The published examples of RFC 9421 with the key `test-key-ecc-p256` (appendix B.1.3).
@Suite struct PublishedVectorTests {
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
        w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END PUBLIC KEY-----
        """
    private static let privateKey = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
        AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
        4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END EC PRIVATE KEY-----
        """

    /// An example: a signed response with its request, and the text that is signed.
    struct Vector: Sendable, CustomTestStringConvertible {
        let section: String
        let status: Int
        let content: String
        let digest: String
        let input: String
        let signature: String
        let base: String

        var testDescription: String { section }
    }

    static let vectors = [
        Vector(
            section: "B.2.4", status: 200, content: #"{"message": "good dog"}"#,
            digest: "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
            input:
                #"sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256""#,
            signature: "sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:",
            base: #"""
                "@status": 200
                "content-type": application/json
                "content-digest": sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:
                "content-length": 23
                "@signature-params": ("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"
                """#),
        Vector(
            section: "2.4", status: 503, content: #"{"busy": true, "message": "Your call is very important to us"}"#,
            digest: "sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:",
            input:
                #"reqres=("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "content-digest";req);created=1618884479;keyid="test-key-ecc-p256""#,
            signature: "reqres=:dMT/A/76ehrdBTD/2Xx8QuKV6FoyzEP/I9hdzKN8LQJLNgzU4W767HK05rx1i8meNQQgQPgQp8wq2ive3tV5Ag==:",
            base: #"""
                "@status": 503
                "content-digest": sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:
                "content-type": application/json
                "@authority";req: example.com
                "@method";req: POST
                "@path";req: /foo
                "content-digest";req: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
                "@signature-params": ("@status" "content-digest" "content-type" "@authority";req "@method";req "@path";req "content-digest";req);created=1618884479;keyid="test-key-ecc-p256"
                """#),
    ]

    private let request: HTTPRequestMessage
    private let key: P256VerificationKey

    init() throws {
        let url: HTTPURL = "https://example.com/foo?param=Value&Pet=dog"
        request = try #require(
            HTTPRequestMessage(
                method: "POST", url: url,
                fields: [
                    "Content-Type": "application/json", "Content-Length": "18",
                    "Content-Digest":
                        "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
                ]))
        key = try P256VerificationKey(pem: Self.publicKey, id: "test-key-ecc-p256")
    }

    private func response(_ vector: Vector) -> HTTPResponseMessage {
        HTTPResponseMessage(
            status: vector.status,
            fields: [
                "Date": "Tue, 20 Apr 2021 02:07:56 GMT", "Content-Type": "application/json",
                "Content-Digest": vector.digest, "Content-Length": "\(vector.content.utf8.count)",
                "Signature-Input": vector.input, "Signature": vector.signature,
            ], content: Array(vector.content.utf8))
    }

    @Test(arguments: vectors) func `a published signature of a response is valid`(_ vector: Vector) throws {
        let response = response(vector)
        let signature = try #require(try MessageSignature.read(response.fields, tag: nil).first)
        let components = try [SignatureComponent](signature.list)
        #expect(try SignatureBase.text(of: components, list: signature.list.serialized, response, to: request) == vector.base)
        try signature.verify(components, response, to: request, with: key)
        try ContentDigest(fieldValue: vector.digest).verify(response.content)
        try ContentDigest(fieldValue: #require(request.fields["content-digest"])).verify(Array(#"{"hello": "world"}"#.utf8))
    }

    @Test(arguments: vectors) func `a published signature of another response is invalid`(_ vector: Vector) throws {
        var response = response(vector)
        response.status = 201
        let signature = try #require(try MessageSignature.read(response.fields, tag: nil).first)
        let components = try [SignatureComponent](signature.list)
        #expect(throws: MessageSignatureError.signature) { try signature.verify(components, response, to: request, with: key) }
    }

    @Test(arguments: vectors) func `a published signature has no tag, so a verifier ignores it`(_ vector: Vector) throws {
        let verifier = ResponseVerifier(keys: try VerificationKeySet([key]))
        #expect(throws: MessageSignatureError.noSignature) {
            try verifier.verify(response(vector), to: request, nonce: RequestNonce(), at: Timestamp(seconds: 1_618_884_473))
        }
    }

    @Test func `the published private key belongs to the public key, and signs responses`() throws {
        let signing = try P256SigningKey(pem: Self.privateKey, id: "test-key-ecc-p256")
        #expect(signing.verificationKey == key)
        // Computed with Python's hashlib from the members of the key as JSON.
        #expect(key.thumbprint.rawValue == "ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI")
        try #expect(Exchange(key: signing).verify(ResponseVerifier(keys: VerificationKeySet([key]))).status == 200)
    }

    @Test(arguments: [
        ("https://www.example.com/path?param=value", "www.example.com", "/path", "?param=value"),
        ("http://www.EXAMPLE.com:80", "www.example.com", "/", "?"),
        ("https://www.example.com:443/a%2Fb/?", "www.example.com", "/a%2Fb/", "?"),
        ("https://www.example.com:8443?queryString", "www.example.com:8443", "/", "?queryString"),
        ("http://127.0.0.1:443/?a=b?c&baz=batman", "127.0.0.1:443", "/", "?a=b?c&baz=batman"),
        ("http://[::1]:80/path", "[::1]", "/path", "?"),
    ])
    func `the components of a URL are derived as in RFC 9421`(
        _ text: String, _ authority: String, _ path: String, _ query: String
    ) throws {
        let url = try #require(HTTPURL(text))
        let request = try #require(HTTPRequestMessage(method: "GET", url: url))
        let response = HTTPResponseMessage(status: 200, fields: [:])
        let components: [SignatureComponent] = [.requestTargetURI, .requestAuthority, .requestPath, .requestQuery, .requestMethod]
        #expect(components.map { $0.value(of: response, to: request) } == [text, authority, path, query, "GET"])
        let target = path + (query == "?" && !text.hasSuffix("?") ? "" : query)
        let received = try #require(HTTPRequestMessage(method: "GET", target: target, authority: authority))
        #expect(components.map { $0.value(of: response, to: received) } == [nil, authority, path, query, "GET"])
    }

    @Test(arguments: [
        ("GE T", "/"), ("", "/"), ("GET", ""), ("GET", "path"), ("GET", "/\n"), ("GET", "/ä"), ("GET", "/a b"), ("G\nT", "/"),
    ])
    func `a request that could not be sent has no signature`(_ method: String, _ target: String) {
        #expect(HTTPRequestMessage(method: method, target: target) == nil)
        #expect(HTTPRequestMessage(method: "GET", target: "/", authority: "a b") == nil)
    }
}
