import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

/// Messages that other implementations signed with the key `test-key-ecc-p256` of RFC 9421, appendix B.1.3.
@Suite struct InteroperabilityTests {
    private static let keys = #"""
        {"keys":[{"kty":"EC","crv":"P-256","kid":"test-key-ecc-p256","x":"qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA",
        "y":"Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0"}]}
        """#

    @Test func `a response is verified that http-message-signatures of Python signed`() throws {
        let url: HTTPURL = "https://shop.example.com/v1/access?product=book&x=%2F"
        let fields: HTTPMessageFields = ["Content-Digest": "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"]
        let request = try #require(HTTPRequestMessage(method: "POST", url: url, fields: fields))
        let components = SignatureComponent.responseToContent + [.requestTargetURI, .requestAuthority]
        let list =
            #"("@status" "content-digest" "content-type" "@method";req "@path";req "@query";req "@target-uri";req "@authority";req "content-digest";req)"#
        let parameters =
            #";created=1738326896;keyid="test-key-ecc-p256";alg="ecdsa-p256-sha256";expires=1738327496;nonce="3q2-7wAAAAAAAAAAAAAAAA";tag="tillroll""#
        let response = HTTPResponseMessage(
            status: 200,
            fields: [
                "Content-Type": "application/json; charset=utf-8",
                "Content-Digest": "sha-256=:VoBvbhurNyTRCwqC1228KaTqE9MWHQi6orVe2XFxDtY=:",
                "Signature-Input": "python=\(list)\(parameters)",
                "Signature": "python=:BvzZ+8cId/1xnY7NE1NMVmJNvtyOlIoTTWdD8BYPlN5TJgxwIjALK0amH8k9t+Z2ujvaNqUhDp+05HrHr3g1Yg==:",
            ], content: Sample.body)
        let verifier = ResponseVerifier(
            keys: try VerificationKeySet(jwks: Array(Self.keys.utf8)), requiredComponents: components)
        let nonce = try #require(RequestNonce("3q2-7wAAAAAAAAAAAAAAAA"))
        let verified = try verifier.verify(response, to: request, nonce: nonce, at: .testStart)
        #expect(verified.content == Sample.body)
        #expect(verified.fields["content-type"] == "application/json; charset=utf-8")
    }

    @Test func `a lease is verified that PyJWT signed`() throws {
        let lease = SignedLease(
            "eyJhbGciOiJFUzI1NiIsImtpZCI6InRlc3Qta2V5LWVjYy1wMjU2IiwidHlwIjoibGVhc2Urand0In0"
                + ".eyJpc3MiOiJodHRwczovL3Nob3AuZXhhbXBsZS5jb20iLCJzdWIiOiIzYzZmOGE1Mi05MWQ0LTRlMGItYTdmMy01ZDJiMWMwZTlmODQiLCJhdWQiOi"
                + "Jjb20uZXhhbXBsZS5tb25rZXlzaG9wIiwiaWF0IjoxNzM4MzI2ODk2LCJuYmYiOjE3MzgzMjY4OTYsImV4cCI6MTczODkzMTY5NiwianRpIjoibGVhc2"
                + "UtMSIsImNuZiI6eyJqa3QiOiJjbi1JX1dOTUNsZWhpVnA1MWlfMFZwT0VOVzF1cEVlckE4c0VhbTVobi1zIn0sImVudGl0bGVtZW50cyI6W3sibmFtZS"
                + "I6ImJvb2sifSx7Im5hbWUiOiJtYWdhemluZSIsInVudGlsIjoxNzM4NTg2MDk2fV19"
                + ".ZyCNDOrxczc6wZJPCqZYq04s-OiL_V0elzX_QtPz3FaoZ8GY7KILd64jcApi-_9esCA4Jchcu8KhoPkWGLteLQ")
        let verifier = LeaseVerifier(
            keys: try VerificationKeySet(jwks: Array(Self.keys.utf8)), issuer: LeaseTests.issuer, bundleID: .test)
        let device = try #require(KeyThumbprint("cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s"))
        let payload = try verifier.verify(lease, deviceKey: device, at: .testStart).payload
        #expect(payload.customer == LeaseTests.customer)
        #expect(payload.entitlements == [LeasedEntitlement("book"), LeasedEntitlement("magazine", until: .testStart.adding(days: 3))])
        #expect(payload.expires == .testStart.adding(days: 7))
    }
}
