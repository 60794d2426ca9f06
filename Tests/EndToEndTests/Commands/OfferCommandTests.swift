import Foundation
import ProcessTestSupport
import PurchaseProof
import Testing

/// Tests of `tillroll offer sign` and `check`.
@Suite struct OfferCommandTests {
    private static let key = BackendKey(newWithID: "ABC123")
    private static let options = ["--key", "AuthKey_ABC123.p8", "--bundle-id", "com.example.monkeyshop"]
    private static let issuer = ["--issuer-id", "57246542-96fe-1a63-e053-0824d011072a"]

    private static func with(_ body: (CommandFolder) async throws -> Void) async throws {
        try await CommandFolder.with { command in
            try command.write(Data(key.pem.utf8), to: "AuthKey_ABC123.p8")
            try command.write(Data(key.publicKey.pem.utf8), to: "public.pem")
            try command.write(Data(#"{"operation":"CREATE_ONE_TIME_CHARGE","version":"1"}"#.utf8), to: "request.json")
            try await body(command)
        }
    }

    /// The options of each kind in addition to the key and the app.
    private static let kinds: [(String, [String])] = [
        ("promotional", ["--product", "p", "--offer", "o", "--app-account-token", "6BA7B810-9dad-11d1-80b4-00c04fd430c8", "--json"]),
        ("promotional", ["--product", "p", "--offer", "o", "--json"]),
        ("promotional-v2", issuer + ["--product", "p", "--offer", "o"]),
        ("promotional-v2", issuer + ["--product", "p", "--offer", "o", "--transaction", "1", "--json"]),
        ("introductory", issuer + ["--product", "p", "--transaction", "1", "--deny"]),
        ("advanced-commerce", issuer + ["--request", "request.json"]),
        ("api-token", issuer),
    ]

    @Test(arguments: kinds)
    func `a signature has no findings with the private key and with the public key`(
        _ kind: String, _ options: [String]
    ) async throws {
        try await Self.with { command in
            let signed = try await command.run(["offer", "sign", kind] + Self.options + options)
            #expect(signed.code == 0 && signed.lines.count == 1, "\(signed.error)")
            let checked = try await command.run(["offer", "check", kind] + Self.options, input: signed.output)
            #expect(checked.code == 0 && checked.lines == ["verified"], "\(checked.text)")
            let publicKey = ["--key", "public.pem", "--key-id", "ABC123"]
            #expect(try await command.run(["offer", "check", kind] + publicKey, input: signed.output).code == 0)
        }
    }

    @Test func `a wrong signature has a finding with the reason`() async throws {
        try await Self.with { command in
            let offer = ["--product", "p", "--offer", "o", "--json", "--nonce", "00112233-4455-6677-8899-aabbccddeeff"]
            let signed = try await command.run(["offer", "sign", "promotional"] + Self.options + offer)
            var json = signed.json
            let signature = try #require(json["signature"] as? String)
            json["signature"] = Data(signature.utf8).base64EncodedString()
            let doubleEncoded = try JSONSerialization.data(withJSONObject: json)
            let checked = try await command.run(["offer", "check", "promotional", "--json"] + Self.options, input: doubleEncoded)
            #expect(checked.code == 1 && checked.result == "refused" && checked.reason == "double_base64")
            #expect((checked.json["findings"] as? [[String: String]])?.map { $0["code"] } == ["double_base64"])
            json["signature"] = signature
            json["productIdentifier"] = "q"
            let other = try JSONSerialization.data(withJSONObject: json)
            let wrong = try await command.run(["offer", "check", "promotional", "--json"] + Self.options, input: other)
            #expect(wrong.code == 1 && wrong.reason == "wrong_key")
        }
    }

    @Test func `a token for another use or another app and an expired token have findings`() async throws {
        try await Self.with { command in
            let api = try await command.run(["offer", "sign", "api-token"] + Self.options + Self.issuer)
            let asOffer = try await command.run(["offer", "check", "promotional-v2", "--json"] + Self.options, input: api.output)
            #expect(asOffer.code == 1)
            let key = ["--key", "public.pem", "--key-id", "ABC123"]
            let foreign = try await command.run(
                ["offer", "check", "api-token", "--json", "--bundle-id", "a.b"] + key, input: api.output
            )
            #expect(foreign.code == 1 && foreign.reason == "wrong")
            let late = try await command.run(["offer", "check", "api-token", "--json", "--date", "2099-01-01"] + key, input: api.output)
            #expect(late.code == 1 && late.reason == "expired")
        }
    }

    @Test func `a token of another library with fractions of a second in its dates has no findings`() async throws {
        // Signed by PyJWT with a discarded key; `iat` is 1738326896.123457, in the format of jwt-kit.
        let key = """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdZmDS1tFPAYBn1R56rlC1ZNLuP3S
            aXmARHhb3Wet5K2iNNf/urELe7JztgcvVZWGGZ+VucAeSXnWAuY3fC6lzg==
            -----END PUBLIC KEY-----
            """
        let token = [
            "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyMyIsInR5cCI6IkpXVCJ9.",
            "eyJpc3MiOiI1NzI0NjU0Mi05NmZlLTFhNjMtZTA1My0wODI0ZDAxMTA3MmEiLCJpYXQiOjE3MzgzMjY4OTYuMTIzNDU3LCJleHAiOjE3MzgzMjcxOTYuMTIz",
            "NDU3LCJhdWQiOiJhcHBzdG9yZWNvbm5lY3QtdjEiLCJiaWQiOiJjb20uZXhhbXBsZS5tb25rZXlzaG9wIn0.",
            "vpaZvCVc-1oH-9tkJNZkArCQGzmvNZagxnqoADb1tsGJtoTFzw-r3kfwo-fVgnt7H8xBbAhcz-D_M0AUk3Wscw",
        ].joined()
        try await Self.with { command in
            try command.write(Data(key.utf8), to: "other.pem")
            let options = ["--key", "other.pem", "--key-id", "ABC123", "--bundle-id", "com.example.monkeyshop"] + Self.issuer
            for (date, code, result) in [("2025-01-31T12:35:00Z", Int32(0), "verified"), ("2025-01-31T12:39:57Z", 1, "refused")] {
                let checked = try await command.run(
                    ["offer", "check", "api-token", "--date", date, "--json"] + options, input: Data(token.utf8))
                #expect(checked.code == code && checked.result == result, "\(checked.text)")
            }
        }
    }

    @Test(arguments: [
        (["offer", "sign", "promotional", "--offer", "o"], "--product"),
        (["offer", "sign", "api-token"], "--issuer-id"),
        (["offer", "sign", "advanced-commerce", "--issuer-id", "x", "--request", "nowhere"], "nowhere can't be read"),
        (["offer", "check", "api-token", "nowhere"], "nowhere can't be read"),
        (["offer", "sign", "free-money"], "free-money"),
    ])
    func `wrong usage exits with 64 and names the cause`(_ arguments: [String], _ cause: String) async throws {
        try await Self.with { command in
            let outcome = try await command.run(arguments + Self.options)
            #expect(outcome.code == 64 && outcome.error.contains(cause), "\(outcome.error)")
        }
    }

    @Test func `a file without a private key is named in the error`() async throws {
        try await Self.with { command in
            let options = ["--bundle-id", "a.b"] + Self.issuer
            for (file, cause) in [("request.json", "contains no private key"), ("public.pem", "contains no private key")] {
                let outcome = try await command.run(["offer", "sign", "api-token", "--key", file, "--key-id", "K"] + options)
                #expect(outcome.code == 64 && outcome.error.contains(cause))
            }
            let unnamed = try await command.run(["offer", "sign", "api-token", "--key", "public.pem"] + options)
            #expect(unnamed.code == 64 && unnamed.error.contains("--key-id"))
        }
    }
}
