import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the output and the exit codes of `tillroll jws verify` and `inspect`.
@Suite struct JWSCommandTests {
    private static let roots = ["--root", "mine/roots.pem"]
    private static let issuer = TestAuthority.shared.signedData

    private static func transaction(_ payload: TransactionPayload = .sample()) throws -> Data {
        Data(try issuer.sign(payload).compact.utf8)
    }

    @Test func `a verified transaction exits with 0 and prints the signed payload unchanged`() async throws {
        try await CommandFolder.with { command in
            let json =
                #"{ "transactionId":"900000000000000001","originalTransactionId":"1","bundleId":"a.b","productId":"p","#
                + #""purchaseDate":1698148900000.1234567,"originalPurchaseDate":1698148900000,"quantity":1,"type":"Consumable","#
                + #""inAppOwnershipType":"PURCHASED","signedDate":1767225600000,"environment":"Sandbox","#
                + #""ofTheFuture":[900719925474099299,1.0,1e2,null,"\u00e9"]}"#
            let compact = try Self.issuer.sign(json: Array(json.utf8))
            let outcome = try await command.run(["jws", "verify", "--json"] + Self.roots, input: Data(compact.utf8))
            #expect(outcome.code == 0 && outcome.result == "verified" && outcome.json["kind"] as? String == "transaction")
            #expect(outcome.json["verified"] as? Bool == true)
            #expect(outcome.text.contains(#""purchaseDate":1698148900000.1234567,"#))
            #expect(outcome.text.contains(#""ofTheFuture":[900719925474099299,1.0,1e2,null,"é"]"#), "\(outcome.text)")
        }
    }

    @Test func `a forged transaction exits with 1 and prints the payload as not verified`() async throws {
        try await CommandFolder.with { command in
            var parts = String(decoding: try Self.transaction(), as: UTF8.self).split(separator: ".").map(String.init)
            parts[1] = try Self.issuer.sign(TransactionPayload.sample(quantity: 9)).compact.split(separator: ".").map(String.init)[1]
            let forged = Data(parts.joined(separator: ".").utf8)
            let outcome = try await command.run(["jws", "verify", "--json"] + Self.roots, input: forged)
            #expect(outcome.code == 1 && outcome.result == "refused" && outcome.reason == "signature")
            #expect(outcome.json["verified"] as? Bool == false)
            #expect((outcome.json["payload"] as? [String: Any])?["quantity"] as? Int == 9)
        }
    }

    @Test func `a transaction with unavailable revocation status exits with 2`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(
                ["jws", "verify", "--json", "--revocation", "hard"] + Self.roots, input: Self.transaction())
            #expect(outcome.code == 2 && outcome.result == "indeterminate" && outcome.reason == "no_responder")
        }
    }

    @Test(arguments: [
        (["--bundle-id", "com.example.other"], "foreign_bundle"),
        (["--environment", "production"], "foreign_environment"),
        (["--device-verification-id", "00112233-4455-6677-8899-AABBCCDDEEFF"], "foreign_device"),
        (["--max-age", "1h"], "too_old"),
    ])
    func `each check refuses a foreign or old transaction`(_ options: [String], _ reason: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(["jws", "verify", "--json"] + Self.roots + options, input: Self.transaction())
            #expect(outcome.code == 1 && outcome.reason == reason, "\(outcome.text)")
        }
    }

    @Test func `the appAppleId is checked for production data only`() async throws {
        try await CommandFolder.with { command in
            let notification = Data(try Self.issuer.sign(NotificationPayload.sample()).compact.utf8)
            let arguments = ["jws", "verify", "--json", "--explain", "--app-id", "1"] + Self.roots
            let outcome = try await command.run(arguments, input: notification)
            let steps = try #require(outcome.json["steps"] as? [[String: String]])
            #expect(outcome.code == 0 && steps.contains { $0["rule"]?.contains("state 1") == true })
        }
    }

    @Test func `a notification has a result for each nested JWS`() async throws {
        try await CommandFolder.with { command in
            let otherIssuer = TestAuthority.other.signedData
            let notification = NotificationPayload.sample(
                type: "DID_RENEW", transaction: try Self.issuer.sign(TransactionPayload.sample()),
                renewalInfo: try otherIssuer.sign(RenewalInfoPayload.sample())
            )
            let signed = Data(try Self.issuer.sign(notification).compact.utf8)
            let outcome = try await command.run(["jws", "verify", "--json"] + Self.roots, input: signed)
            #expect(outcome.code == 1 && outcome.reason == "untrusted_root")
            let inner = try #require(outcome.json["nested"] as? [String: [String: Any]])
            #expect(inner["signedTransactionInfo"]?["result"] as? String == "verified")
            #expect(inner["signedTransactionInfo"]?["kind"] as? String == "transaction")
            #expect(inner["signedRenewalInfo"]?["result"] as? String == "refused")
            #expect(inner["signedRenewalInfo"]?["reason"] as? String == "untrusted_root")
        }
    }

    @Test func `an explanation lists the steps`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(["jws", "verify", "--json", "--explain"] + Self.roots, input: Self.transaction())
            let steps = try #require(outcome.json["steps"] as? [[String: String]])
            #expect(steps.count > 5 && steps.allSatisfy { $0["status"] == "passed" || $0["status"] == "skipped" })
        }
    }

    @Test func `the text output shows timestamps as dates`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(["jws", "verify"] + Self.roots, input: Self.transaction())
            #expect(outcome.lines.first == "verified")
            let milliseconds = Timestamp.testStart.milliseconds
            #expect(outcome.lines.contains { $0.hasSuffix("\(milliseconds)  \(Timestamp.testStart)") }, "\(outcome.text)")
        }
    }

    @Test func `inspect shows headers that verify refuses`() async throws {
        try await CommandFolder.with { command in
            var header = try Self.issuer.header
            header.algorithm = "none"
            header.certificates = nil
            header.additionalMembers = #","jku":"x""#
            let compact = try Self.issuer.sign(json: Array("{}".utf8), header: header, signature: { _ in [1, 2, 3] })
            let outcome = try await command.run("jws", "inspect", "--json", input: Data(compact.utf8))
            #expect(outcome.code == 0 && outcome.json["result"] is NSNull)
            #expect((outcome.json["header"] as? [String: Any])?["jku"] as? String == "x")
            let verified = try await command.run(["jws", "verify", "--json"] + Self.roots, input: Data(compact.utf8))
            #expect(verified.code == 1)
        }
    }
}
