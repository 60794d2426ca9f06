import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import Testing

/// Tests that `issue` creates data with the given options and that `verify` accepts the data.
@Suite struct IssueCommandTests {
    @Test(arguments: [
        ("apple", "mine/roots.pem", "DER", "SHA-256"), ("apple-sha1", "mine/roots.pem", "DER", "SHA-1"),
        ("xcode", "mine/xcode-roots.pem", "BER", "SHA-256"), ("ios6", "mine/roots.pem", nil, "SHA-1"),
    ])
    func `a receipt of each format is verified with the authority's roots`(
        _ shape: String, _ roots: String, _ encoding: String?, _ digest: String
    ) async throws {
        try await CommandFolder.with { command in
            let issue = ["receipt", "issue", "--authority", "mine", "--format", shape, "--purchases", "4", "--output", "receipt"]
            let issued = try await command.run(issue)
            #expect(issued.code == 0 && issued.output.isEmpty && issued.error.isEmpty, "\(issued.error)")
            let verified = try await command.run("receipt", "verify", "receipt", "--root", roots, "--json")
            #expect(verified.code == 0, "\(verified.text)")
            let inspected = try await command.run("receipt", "inspect", "receipt", "--json")
            #expect(inspected.json["encoding"] as? String == encoding && inspected.json["digest"] as? String == digest)
            #expect(try await command.run("receipt", "verify", "receipt").code == 1)
        }
    }

    @Test(arguments: ["apple", "apple-sha1", "xcode"])
    func `OpenSSL accepts an issued receipt`(_ shape: String) async throws {
        try await CommandFolder.with { command in
            let roots = shape == "xcode" ? "mine/xcode-roots.pem" : "mine/roots.pem"
            let issue = [
                "receipt", "issue", "--authority", "mine", "--format", shape, "--date", "2026-01-01T00:00:00Z", "--output", "receipt",
            ]
            #expect(try await command.run(issue).code == 0)
            let checked = try await command.shell(
                "openssl cms -verify -binary -inform DER -in receipt -CAfile \(roots) -purpose any "
                    + "-attime $(date -d 2026-01-01T00:00:00Z +%s) -out payload"
            )
            #expect(checked.code == 0, "\(checked.error)")
        }
    }

    @Test func `the first call creates an authority that only its owner can read, and later calls use it`() async throws {
        try await CommandFolder.with { command in
            let issue = ["receipt", "issue", "--authority", "new/deep", "--base64"]
            let first = try await command.run(issue)
            #expect(first.code == 0, "\(first.error)")
            let key = command.folder.file("new/deep/authority.pem").path
            let attributes = try FileManager.default.attributesOfItem(atPath: key)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let second = try await command.run(issue)
            for outcome in [first, second] {
                let verified = try await command.run("receipt", "verify", "--root", "new/deep/roots.pem", input: outcome.output)
                #expect(verified.code == 0)
            }
        }
    }

    @Test func `concurrent calls use one authority`() async throws {
        try await CommandFolder.with { command in
            let script = """
                for i in 1 2 3; do "$tillroll" jws issue --authority new --output issued$i & done; wait
                for i in 1 2 3; do "$tillroll" jws verify issued$i --root new/roots.pem || exit 1; done
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0)
        }
    }

    @Test func `the same options create the same receipt`() async throws {
        try await CommandFolder.with { command in
            let issue = ["receipt", "issue", "--authority", "mine", "--purchases", "5", "--date", "2026-01-01", "--base64"]
            let (first, second) = (try await command.run(issue), try await command.run(issue))
            #expect(first.output == second.output)
        }
    }

    @Test func `a receipt has the values of the options`() async throws {
        try await CommandFolder.with { command in
            let options = [
                "--bundle-id", "a.b", "--app-version", "7.1", "--purchases", "9", "--device", "f8:ff:c2:00:00:01", "--date",
                "2026-01-01T12:00:00Z",
            ]
            let issued = try await command.run(["receipt", "issue", "--authority", "mine", "--base64"] + options)
            let checks = ["--bundle-id", "a.b", "--app-version", "7.1", "--device", "f8-ff-c2-00-00-01"]
            let verified = try await command.run(
                ["receipt", "verify", "--json", "--root", "mine/roots.pem"] + checks, input: issued.output
            )
            #expect(verified.code == 0)
            let receipt = try #require(verified.json["receipt"] as? [String: Any])
            #expect(receipt["receipt_creation_date"] as? String == "2026-01-01 12:00:00 Etc/GMT")
            let purchases = try #require(receipt["in_app"] as? [[String: Any]])
            #expect(purchases.count == 9)
            #expect(Set(purchases.compactMap { $0["transaction_id"] as? String }).count == 9)
            let periods = purchases.filter { $0["product_id"] as? String == "com.example.monkeyshop.magazine" }
            #expect(periods.count == 4 && Set(periods.compactMap { $0["original_transaction_id"] as? String }).count == 1)
            #expect(periods.allSatisfy { $0["expires_date"] != nil && $0["web_order_line_item_id"] != nil })
        }
    }

    @Test(arguments: ["transaction", "renewal", "notification", "app-transaction"], ["apple", "xcode"])
    func `signed data of each kind is verified with the authority's roots`(_ kind: String, _ shape: String) async throws {
        try await CommandFolder.with { command in
            let issue = ["jws", "issue", "--authority", "mine", "--kind", kind, "--format", shape, "--date", "\(Timestamp.testStart)"]
            let issued = try await command.run(issue)
            let roots = shape == "xcode" ? "mine/xcode-roots.pem" : "mine/roots.pem"
            let verified = try await command.run("jws", "verify", "--root", roots, "--json", input: issued.output)
            #expect(verified.code == 0, "\(verified.text)")
            let names = ["renewal": "renewal_info", "app-transaction": "app_transaction"]
            #expect(verified.json["kind"] as? String == names[kind] ?? kind)
            #expect((verified.json["nested"] != nil) == (kind == "notification"))
        }
    }

    @Test func `a payload from a file is signed unchanged`() async throws {
        try await CommandFolder.with { command in
            let payload = #"{"transactionId" : "1", "signedDate":1.0, "x":1e400}"#
            try command.write(Data((payload + "\n").utf8), to: "payload.json")
            let issued = try await command.run("jws", "issue", "--authority", "mine", "--payload", "payload.json")
            let part = issued.text.split(separator: ".")[1]
            #expect(Base64URL.decode(part.utf8) == Array(payload.utf8))
            let inspected = try await command.run("jws", "inspect", "--json", input: issued.output)
            #expect(inspected.text.contains(#""x":1e400"#))
        }
    }

    @Test func `data for a device is verified on this device and refused on another device`() async throws {
        try await CommandFolder.with { command in
            let device = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
            let issued = try await command.run("jws", "issue", "--authority", "mine", "--device-verification-id", device)
            let verify = ["jws", "verify", "--json", "--root", "mine/roots.pem", "--device-verification-id"]
            #expect(try await command.run(verify + [device.uppercased()], input: issued.output).code == 0)
            let other = try await command.run(verify + ["00000000-0000-0000-0000-000000000000"], input: issued.output)
            #expect(other.code == 1 && other.reason == "foreign_device")
        }
    }

    @Test(arguments: [
        (["receipt", "issue"], "--authority"),
        (["receipt", "issue", "--authority", "mine/roots.pem"], "can't be created or is not a folder"),
        (["receipt", "issue", "--authority", "mine", "--environment", "production"], "Only the App Store"),
        (["receipt", "issue", "--authority", "mine", "--format", "xcode", "--environment", "sandbox"], "xcode"),
        (["receipt", "issue", "--authority", "mine", "--purchases", "-1"], "purchases"),
        (["receipt", "issue", "--authority", "mine", "--purchases", "99999999999999999999"], "purchases"),
        (["receipt", "issue", "--authority", "mine", "--count", "2"], "--base64"),
        (["receipt", "issue", "--authority", "mine", "--output", "no/where"], "no/where can't be written"),
        (["jws", "issue", "--authority", "mine", "--payload", "mine/roots.pem"], "contains no valid JSON"),
        (["jws", "issue", "--authority", "mine", "--kind", "magic"], "magic"),
    ])
    func `wrong usage exits with 64 and names the cause`(_ arguments: [String], _ cause: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 64 && outcome.error.contains(cause), "\(outcome.error)")
        }
    }

    @Test func `an authority of an earlier version issues everything except iOS 6 receipts`() async throws {
        try await CommandFolder.with { command in
            let blocks = String(decoding: try command.read("mine/authority.pem"), as: UTF8.self).components(separatedBy: "\n-----BEGIN")
            try command.write(Data((blocks.prefix(8).joined(separator: "\n-----BEGIN") + "\n").utf8), to: "mine/authority.pem")
            let issue = ["receipt", "issue", "--authority", "mine", "--base64", "--format"]
            #expect(try await command.run(issue + ["apple"]).code == 0)
            let outcome = try await command.run(issue + ["ios6"])
            #expect(outcome.code == 64 && outcome.error.contains("new folder"), "\(outcome.error)")
        }
    }

    @Test func `a file that is not an authority is not overwritten`() async throws {
        try await CommandFolder.with { command in
            try command.write(Data("my notes".utf8), to: "mine/authority.pem")
            let outcome = try await command.run("receipt", "issue", "--authority", "mine", "--base64")
            #expect(outcome.code == 64 && outcome.error.contains("contains no authority of tillroll"))
            let left = try command.read("mine/authority.pem")
            #expect(left == Data("my notes".utf8))
        }
    }
}
