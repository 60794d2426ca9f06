import PurchaseModel
import PurchaseTestSupport
import Testing

@testable import MessageSignatures

@Suite struct ResponseSignatureTests {
    @Test(arguments: [(200, Sample.body), (404, []), (503, Array(repeating: 0xFF, count: 100_000))])
    func `a signed response is verified with the covered fields only`(_ status: Int, _ content: [UInt8]) throws {
        let verified = try Exchange(Sample.response(status, content)).verify()
        #expect(verified.status == status)
        #expect(verified.content == content)
        #expect(verified.created == Timestamp.testStart)
        #expect(verified.keyID == "2025-01")
        #expect(verified.fields["content-type"] == "application/json")
        #expect(verified.fields["server"] == nil)
        #expect(verified.fields["signature"] == nil)
    }

    @Test func `the fields of a signature are those of RFC 9421`() throws {
        let response = try Exchange(lifetime: 600).response
        #expect(response.fields["Content-Digest"] == "sha-256=:\(digestOfBody):")
        #expect(
            response.fields["Signature-Input"]
                == #"tillroll=("@status" "content-digest" "content-type" "@method";req "@path";req "@query";req);created=1738326896;expires=1738327496;keyid="2025-01";nonce="\#(Sample.nonce())";alg="ecdsa-p256-sha256";tag="tillroll""#
        )
        let signature = try #require(response.fields["Signature"])
        #expect(signature.hasPrefix("tillroll=:") && signature.utf8.count == 99)
    }

    private var digestOfBody: String { "VoBvbhurNyTRCwqC1228KaTqE9MWHQi6orVe2XFxDtY=" }

    /// A change to a message or to its verification, with the expected error.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: MessageSignatureError
        let apply: @Sendable (inout Exchange) throws -> Void

        init(_ name: String, _ error: MessageSignatureError, _ apply: @escaping @Sendable (inout Exchange) throws -> Void) {
            testDescription = name
            self.error = error
            self.apply = apply
        }
    }

    static let tamperings = [
        Tampering("another body", .content(.mismatch(.sha256))) { $0.response.content[10] ^= 1 },
        Tampering("a truncated body", .content(.mismatch(.sha256))) { $0.response.content.removeLast() },
        Tampering("another body with its digest", .signature) {
            $0.response.content[10] ^= 1
            $0.response.fields["Content-Digest"] = ContentDigest(of: $0.response.content).fieldValue
        },
        Tampering("an additional digest", .signature) { try $0.edit("Content-Digest", "sha-256", "sha-512=:AA==:, sha-256") },
        Tampering("no digest", .unavailableComponent(.field("content-digest"))) { $0.response.fields["Content-Digest"] = nil },
        Tampering("another status", .signature) { $0.response.status = 201 },
        Tampering("an impossible status", .unavailableComponent(.status)) { $0.response.status = 1000 },
        Tampering("another type", .signature) { $0.response.fields["Content-Type"] = "text/html" },
        Tampering("no type", .unavailableComponent(.field("content-type"))) { $0.response.fields["Content-Type"] = nil },
        Tampering("a type with a line break", .unavailableComponent(.field("content-type"))) {
            $0.response.fields["Content-Type"] = "application/json\n\"@status\": 200"
        },
        Tampering("another method", .signature) { $0.request = try Sample.request("POST") },
        Tampering("another path", .signature) { $0.request = try Sample.request("GET", "/v1/accesses?product=book") },
        Tampering("another query", .signature) { $0.request = try Sample.request("GET", "/v1/access?product=coins") },
        Tampering("no query", .signature) { $0.request = try Sample.request("GET", "/v1/access") },
        Tampering("another nonce of the client", .nonce) { $0.nonce = Sample.nonce(2) },
        Tampering("another nonce of the signature", .signature) {
            $0.nonce = Sample.nonce(2)
            try $0.edit("Signature-Input", Sample.nonce(1).rawValue, Sample.nonce(2).rawValue)
        },
        Tampering("no nonce", .signature) { try $0.edit("Signature-Input", #";nonce="\#(Sample.nonce())""#, "") },
        Tampering("another date", .signature) { try $0.edit("Signature-Input", "created=1738326896", "created=1738326897") },
        Tampering("no date", .invalidParameter("created")) { try $0.edit("Signature-Input", ";created=1738326896", "") },
        Tampering("a negative date", .invalidParameter("created")) { try $0.edit("Signature-Input", "created=", "created=-") },
        Tampering("a date that is a string", .invalidParameter("created")) {
            try $0.edit("Signature-Input", "1738326896", #""1738326896""#)
        },
        Tampering("an additional expiration", .signature) { try $0.edit("Signature-Input", ";keyid", ";expires=1738326999;keyid") },
        Tampering("an unknown key", .unknownKey("2024-12")) { try $0.edit("Signature-Input", "2025-01", "2024-12") },
        Tampering("no key", .invalidParameter("keyid")) { try $0.edit("Signature-Input", #";keyid="2025-01""#, "") },
        Tampering("another algorithm", .algorithm("hmac-sha256")) {
            try $0.edit("Signature-Input", "ecdsa-p256-sha256", "hmac-sha256")
        },
        Tampering("a long algorithm", .invalidParameter("alg")) {
            try $0.edit("Signature-Input", "ecdsa-p256-sha256", String(repeating: "a", count: 65))
        },
        Tampering("a long key identifier", .invalidParameter("keyid")) {
            try $0.edit("Signature-Input", "2025-01", String(repeating: "a", count: 129))
        },
        Tampering("a long component", .unsupportedComponent("\"" + String(repeating: "A", count: 99))) {
            try $0.edit("Signature-Input", #"("@status""#, #"("\#(String(repeating: "A", count: 200))" "@status""#)
        },
        Tampering("no algorithm", .signature) { try $0.edit("Signature-Input", #";alg="ecdsa-p256-sha256""#, "") },
        Tampering("another tag", .noSignature) { try $0.edit("Signature-Input", #"tag="tillroll""#, #"tag="other""#) },
        Tampering("no tag", .noSignature) { try $0.edit("Signature-Input", #";tag="tillroll""#, "") },
        Tampering("an additional parameter", .signature) { try $0.edit("Signature-Input", ";tag", ";x=1;tag") },
        Tampering("parameters in another order", .signature) {
            try $0.edit("Signature-Input", #";alg="ecdsa-p256-sha256";tag="tillroll""#, #";tag="tillroll";alg="ecdsa-p256-sha256""#)
        },
        Tampering("a component is no longer covered", .notCovered(.field("content-type"))) {
            try $0.edit("Signature-Input", #" "content-type""#, "")
        },
        Tampering("the path is no longer covered", .notCovered(.requestPath)) { try $0.edit("Signature-Input", #" "@path";req"#, "") },
        Tampering("components in another order", .signature) {
            try $0.edit("Signature-Input", #""@status" "content-digest""#, #""content-digest" "@status""#)
        },
        Tampering("an additional component", .signature) { try $0.edit("Signature-Input", #"("@status""#, #"("server" "@status""#) },
        Tampering("a component twice", .repeatedComponent(.status)) {
            try $0.edit("Signature-Input", #"("@status""#, #"("@status" "@status""#)
        },
        Tampering("a component that is a token", .unsupportedComponent("server")) {
            try $0.edit("Signature-Input", #"("@status""#, #"(server "@status""#)
        },
        Tampering("a component in upper case", .unsupportedComponent(#""Server""#)) {
            try $0.edit("Signature-Input", #"("@status""#, #"("Server" "@status""#)
        },
        Tampering("the status of the request", .unsupportedComponent(#""@status";req"#)) {
            try $0.edit("Signature-Input", #""@status""#, #""@status";req"#)
        },
        Tampering("the method of the response", .unsupportedComponent(#""@method""#)) {
            try $0.edit("Signature-Input", #""@method";req"#, #""@method""#)
        },
        Tampering("a part of a field", .unsupportedComponent(#""content-digest";key="sha-256""#)) {
            try $0.edit("Signature-Input", #""content-digest""#, #""content-digest";key="sha-256""#)
        },
        Tampering("a component that is not a name", .unsupportedComponent(#""server: x""#)) {
            try $0.edit("Signature-Input", #"("@status""#, #"("server: x" "@status""#)
        },
        Tampering("a missing component", .unavailableComponent(.field("date"))) {
            try $0.edit("Signature-Input", #"("@status""#, #"("date" "@status""#)
        },
        Tampering("no Signature-Input", .missingField("Signature-Input")) { $0.response.fields["Signature-Input"] = nil },
        Tampering("no Signature", .missingField("Signature")) { $0.response.fields["Signature"] = nil },
        Tampering("another label", .noSignature) { try $0.edit("Signature", "tillroll=", "till=") },
        Tampering("a signature that is a string", .noSignature) { $0.response.fields["Signature"] = #"tillroll="x""# },
        Tampering("an empty signature", .signature) { $0.response.fields["Signature"] = "tillroll=::" },
        Tampering("a short signature", .signature) { try $0.edit("Signature", "tillroll=:", "tillroll=:AAAA:, x=:") },
        Tampering("an empty Signature-Input", .noSignature) { $0.response.fields["Signature-Input"] = "" },
        Tampering("a malformed Signature-Input", .malformedField("Signature-Input", .malformed(offset: 9))) {
            try $0.edit("Signature-Input", "tillroll=(", "tillroll=((")
            $0.response.fields["Signature-Input"] = "tillroll=,"
        },
        Tampering("a large Signature", .malformedField("Signature", .tooLarge(limit: 8192))) {
            $0.response.fields["Signature"] = String(repeating: " ", count: 1) + String(repeating: "a", count: 8193)
        },
        Tampering("a response from the future", .createdInFuture(.testStart)) { $0.now = Timestamp.testStart.adding(seconds: -61) },
        Tampering("an old response", .tooOld(.testStart)) { $0.now = Timestamp.testStart.adding(seconds: 361) },
        Tampering("the beginning of time", .createdInFuture(.testStart)) { $0.now = Timestamp(milliseconds: .min) },
        Tampering("the end of time", .tooOld(.testStart)) { $0.now = Timestamp(milliseconds: .max) },
    ]

    @Test(arguments: tamperings) func `a changed response is refused`(_ tampering: Tampering) throws {
        var exchange = try Exchange()
        try tampering.apply(&exchange)
        #expect(throws: tampering.error) { try exchange.verify() }
    }

    @Test func `a response to a request is refused as the response to another one`() throws {
        let exchange = try Exchange()
        var other = try Exchange(key: exchange.key)
        other.nonce = Sample.nonce(2)
        other.response = exchange.response
        // The same request, sent again with its own nonce.
        #expect(throws: MessageSignatureError.nonce) { try other.verify() }
        // Another request, even with the same nonce.
        other.nonce = exchange.nonce
        other.request = try Sample.request("GET", "/v1/access?product=coins")
        #expect(throws: MessageSignatureError.signature) { try other.verify() }
    }

    @Test func `the signature of another key with the same identifier is refused`() throws {
        let exchange = try Exchange()
        let verifier = try ResponseVerifier(keys: Sample.keys(Sample.key(exchange.key.id)))
        #expect(throws: MessageSignatureError.signature) { try exchange.verify(verifier) }
    }

    @Test(arguments: [(-60, true), (-61, false), (0, true), (90, true), (91, false)] as [(Int64, Bool)])
    func `a signature expires after its lifetime and the tolerance`(_ seconds: Int64, _ isAccepted: Bool) throws {
        var exchange = try Exchange(lifetime: 30)
        exchange.now = Timestamp.testStart.adding(seconds: seconds)
        if isAccepted {
            _ = try exchange.verify()
        } else if seconds > 0 {
            #expect(throws: MessageSignatureError.expired(Timestamp.testStart.adding(seconds: 30))) { try exchange.verify() }
        } else {
            #expect(throws: MessageSignatureError.createdInFuture(.testStart)) { try exchange.verify() }
        }
    }

    @Test(
        arguments: [(10, 0, 10, true), (10, 0, 11, false), (10, 5, 15, true), (10, 5, 16, false), (-5, -5, 0, true), (-5, -5, 1, false)]
            as [(Int64, Int64, Int64, Bool)])
    func `the maximum age and the tolerance are the verifier's`(_ age: Int64, _ skew: Int64, _ seconds: Int64, _ isAccepted: Bool) throws {
        var exchange = try Exchange()
        exchange.now = Timestamp.testStart.adding(seconds: seconds)
        let verifier = try ResponseVerifier(keys: Sample.keys(exchange.key), maximumAge: age, clockSkew: skew)
        if isAccepted {
            _ = try exchange.verify(verifier)
        } else {
            #expect(throws: MessageSignatureError.tooOld(.testStart)) { try exchange.verify(verifier) }
        }
    }

    @Test func `status and content are required, whatever the verifier requires`() throws {
        let exchange = try Exchange(components: [.status, .requestMethod])
        let verifier = try ResponseVerifier(keys: Sample.keys(exchange.key), requiredComponents: [])
        #expect(verifier.requiredComponents == [.status, .field("content-digest")])
        #expect(throws: MessageSignatureError.notCovered(.field("content-digest"))) { try exchange.verify(verifier) }
        let covered = try Exchange(key: exchange.key, components: [.field("Content-Digest"), .status])
        #expect(try covered.verify(verifier).fields["content-type"] == nil)
    }

    @Test func `a response is bound to the content of its request`() throws {
        let key = try Sample.key()
        let url: HTTPURL = "https://example.com/v1/transactions"
        let content = Array("signed transactions".utf8)
        let request = try #require(
            HTTPRequestMessage(method: "POST", url: url, fields: ["Content-Digest": ContentDigest(of: content).fieldValue]))
        let components = SignatureComponent.responseToContent + [.requestTargetURI, .requestAuthority]
        let response = try ResponseSigner(key: key).sign(
            Sample.response(), to: request, nonce: Sample.nonce(), components: components, at: .testStart)
        let verifier = ResponseVerifier(keys: try Sample.keys(key), requiredComponents: components)
        _ = try verifier.verify(response, to: request, nonce: Sample.nonce(), at: .testStart)
        var other = request
        other.fields["content-digest"] = ContentDigest(of: content.dropLast()).fieldValue
        #expect(throws: MessageSignatureError.signature) {
            try verifier.verify(response, to: other, nonce: Sample.nonce(), at: .testStart)
        }
        other.fields["content-digest"] = nil
        #expect(throws: MessageSignatureError.unavailableComponent(.requestField("content-digest"))) {
            try verifier.verify(response, to: other, nonce: Sample.nonce(), at: .testStart)
        }
    }

    @Test func `signing what a message does not have is refused`() throws {
        let signer = try ResponseSigner(key: Sample.key())
        let request = try Sample.request()
        let response = Sample.response()
        for (components, error) in [
            ([.field("date")], .unavailableComponent(.field("date"))),
            ([.requestTargetURI], .unavailableComponent(.requestTargetURI)),
            ([.requestField("host")], .unavailableComponent(.requestField("host"))),
            ([.status, .status], .repeatedComponent(.status)),
            ([.field("a b")], .unsupportedComponent(#""a b""#)),
            ([.field("@method")], .unsupportedComponent(#""@method""#)),
            ([.field("a\n\"@status\": 200")], .unsupportedComponent("\"a\n\\\"@status\\\": 200\"")),
        ] as [([SignatureComponent], MessageSignatureError)] {
            #expect(throws: error) {
                try signer.sign(response, to: request, nonce: Sample.nonce(), components: components, at: .testStart)
            }
        }
        for date in [Timestamp(milliseconds: -1), Timestamp(milliseconds: .min), Timestamp(milliseconds: .max)] {
            #expect(throws: MessageSignatureError.invalidParameter("created")) {
                try signer.sign(response, to: request, nonce: Sample.nonce(), at: date)
            }
        }
        #expect(throws: MessageSignatureError.invalidParameter("expires")) {
            try ResponseSigner(key: Sample.key(), lifetime: .max).sign(response, to: request, nonce: Sample.nonce(), at: .testStart)
        }
    }

    @Test func `one of several signatures suffices, so that a server can change its key`() throws {
        let (old, new) = (try Exchange(key: Sample.key("old")), try Exchange(key: Sample.key("new")))
        var both = new
        for field in ["Signature-Input", "Signature"] {
            let values = [old, new].compactMap { $0.response.fields[field] }
            both.response.fields[field] = "\(values[0].replacing("tillroll=", with: "other=")), \(values[1])"
        }
        #expect(try both.verify(ResponseVerifier(keys: Sample.keys(old.key))).keyID == "old")
        #expect(try both.verify(ResponseVerifier(keys: Sample.keys(new.key))).keyID == "new")
        #expect(try both.verify(ResponseVerifier(keys: Sample.keys(new.key, old.key))).keyID == "old")
        #expect(throws: MessageSignatureError.unknownKey("new")) { try both.verify(ResponseVerifier(keys: Sample.keys(Sample.key()))) }
        // The error of a known key is reported, not that of an unknown one.
        both.response.status = 500
        #expect(throws: MessageSignatureError.signature) { try both.verify(ResponseVerifier(keys: Sample.keys(new.key))) }
    }

    @Test func `more signatures than the maximum are refused`() throws {
        var exchange = try Exchange()
        for field in ["Signature-Input", "Signature"] {
            let value = try #require(exchange.response.fields[field])
            exchange.response.fields[field] = (1...5).map { value.replacing("tillroll=", with: "s\($0)=") }.joined(separator: ", ")
        }
        #expect(throws: MessageSignatureError.noSignature) { try exchange.verify() }
    }

    @Test func `signatures of other applications are ignored`() throws {
        var exchange = try Exchange()
        exchange.response.fields["Signature-Input"] =
            try #require(exchange.response.fields["Signature-Input"]) + #", x=("@status");tag="x", y=1"#
        #expect(try exchange.verify().status == 200)
    }

    @Test func `signing again replaces the signature`() throws {
        let exchange = try Exchange()
        let again = try ResponseSigner(key: exchange.key).sign(
            exchange.response, to: exchange.request, nonce: Sample.nonce(2), at: .testStart)
        #expect(again.fields.all.count == exchange.response.fields.all.count)
        let verifier = try ResponseVerifier(keys: Sample.keys(exchange.key))
        #expect(try verifier.verify(again, to: exchange.request, nonce: Sample.nonce(2), at: .testStart).status == 200)
    }

    @Test(arguments: [
        "", "short", "fifteen-charact", "sixteen characte", "sixteen-charact\n", String(repeating: "a", count: 129), "ääääääääääääääää",
    ])
    func `a nonce that is short, long or not visible is refused`(_ text: String) {
        #expect(RequestNonce(text) == nil)
    }

    @Test func `nonces differ, and have 128 bits`() throws {
        let nonces = (0..<100).map { _ in RequestNonce() }
        #expect(Set(nonces).count == 100)
        for nonce in nonces {
            #expect(nonce.rawValue.utf8.count == 22)
            #expect(RequestNonce(nonce.rawValue) == nonce)
        }
        #expect(RequestNonce.fieldName == "Tillroll-Nonce")
    }

    @Test func `errors say what to do`() {
        #expect(MessageSignatureError.unknownKey("a").description == "No key \"a\" verifies signatures. Update the app's keys.")
        #expect(MessageSignatureError.notCovered(.requestPath).description == #"The signature does not cover "@path";req."#)
        #expect(
            MessageSignatureError.tooOld(.testStart).description
                == "The response is dated 2025-01-31T12:34:56Z, too long ago. Request it again, and check the clock of this device.")
    }
}
