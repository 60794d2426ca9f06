import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the output and the exit codes of `tillroll receipt verify` and `inspect`.
@Suite struct ReceiptCommandTests {
    private static let roots = ["--root", "mine/roots.pem"]
    private static func receipt(_ content: ReceiptContent = .sample()) throws -> Data {
        Data(try TestAuthority.shared.receipts.issue(content))
    }

    @Test func `a verified receipt exits with 0 and prints its content under Apple's names`() async throws {
        try await CommandFolder.with { command in
            try command.write(Self.receipt(), to: "receipt")
            let outcome = try await command.run(["receipt", "verify", "receipt", "--json"] + Self.roots)
            #expect(outcome.code == 0 && outcome.lines.count == 1)
            #expect(outcome.result == "verified" && outcome.reason == nil && outcome.json["verified"] as? Bool == true)
            let receipt = try #require(outcome.json["receipt"] as? [String: Any])
            #expect(receipt["bundle_id"] as? String == "com.example.monkeyshop")
            #expect(receipt["receipt_type"] as? String == "ProductionSandbox")
            let purchase = try #require((receipt["in_app"] as? [[String: Any]])?.first)
            #expect(purchase["product_id"] as? String == "com.example.monkeyshop.credits5")
            #expect(purchase["quantity"] as? String == "1")
            #expect(outcome.json["steps"] == nil)
        }
    }

    @Test func `a refused receipt exits with 1 and prints the reason, the place and the unverified content`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run("receipt", "verify", "--json", input: Self.receipt())
            #expect(outcome.code == 1)
            #expect(outcome.result == "refused" && outcome.reason == "untrusted_root" && outcome.place == "SignedData.certificates")
            #expect((outcome.json["message"] as? String)?.isEmpty == false)
            #expect(outcome.json["verified"] as? Bool == false)
            #expect((outcome.json["receipt"] as? [String: Any])?["bundle_id"] as? String == "com.example.monkeyshop")
        }
    }

    @Test func `a receipt with unavailable revocation status exits with 2`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(
                ["receipt", "verify", "--json", "--revocation", "hard"] + Self.roots, input: Self.receipt()
            )
            #expect(outcome.code == 2)
            #expect(outcome.result == "indeterminate" && outcome.reason == "no_responder" && outcome.json["verified"] as? Bool == false)
            let soft = try await command.run(["receipt", "verify", "--revocation", "soft"] + Self.roots, input: Self.receipt())
            #expect(soft.code == 0)
        }
    }

    @Test(arguments: [
        (["--bundle-id", "com.example.other"], "foreign_bundle"),
        (["--app-version", "2.0"], "foreign_version"),
        (["--environment", "production"], "foreign_environment"),
        (["--environment", "production", "--environment", "xcode"], "foreign_environment"),
        (["--device", "00112233-4455-6677-8899-AABBCCDDEEFE"], "foreign_device"),
        (["--device", "f8:ff:c2:00:00:01"], "foreign_device"),
        (["--max-age", "90s"], "too_old"),
    ])
    func `each check refuses a foreign or old receipt`(_ options: [String], _ reason: String) async throws {
        try await CommandFolder.with { command in
            let arguments = ["receipt", "verify", "--json"] + Self.roots
            let outcome = try await command.run(arguments + options, input: Self.receipt())
            #expect(outcome.code == 1 && outcome.reason == reason, "\(outcome.text)")
        }
    }

    @Test func `a receipt that fits all checks is verified`() async throws {
        try await CommandFolder.with { command in
            let options = [
                "--bundle-id", "com.example.monkeyshop", "--app-version", "1.0", "--environment", "production", "--environment", "sandbox",
                "--device", "00112233-4455-6677-8899-AABBCCDDEEFF", "--max-age", "36525d",
            ]
            let outcome = try await command.run(["receipt", "verify"] + Self.roots + options, input: Self.receipt())
            #expect(outcome.code == 0)
            #expect(outcome.lines.first == "verified")
        }
    }

    @Test func `an expired receipt is refused without an option`() async throws {
        try await CommandFolder.with { command in
            var content = ReceiptContent.sample()
            content.expirationDate = content.creationDate.adding(days: 1)
            let outcome = try await command.run(["receipt", "verify", "--json"] + Self.roots, input: Self.receipt(content))
            #expect(outcome.code == 1 && outcome.reason == "expired")
        }
    }

    @Test func `an explanation lists the steps up to the failed step`() async throws {
        try await CommandFolder.with { command in
            let arguments = ["receipt", "verify", "--json", "--explain", "--bundle-id", "com.example.other"] + Self.roots
            let outcome = try await command.run(arguments, input: Self.receipt())
            let steps = try #require(outcome.json["steps"] as? [[String: String]])
            #expect(steps.count > 5)
            #expect(steps.first?["status"] == "passed" && steps.last?["status"] == "failed")
            #expect(steps.allSatisfy { $0["name"]?.isEmpty == false && $0["rule"]?.isEmpty == false && $0["observed"] != nil })
        }
    }

    @Test func `the text output has a result, aligned purchases and certificates, without color in a pipe`() async throws {
        try await CommandFolder.with { command in
            let content = ReceiptContent.sample([.sample(), .sample(id: "2000000000000002", product: "com.example.monkeyshop.book")])
            let outcome = try await command.run(["receipt", "verify"] + Self.roots, input: Self.receipt(content))
            #expect(outcome.lines.first == "verified")
            #expect(!outcome.text.contains("\u{1B}"))
            let table = try #require(outcome.lines.firstIndex { $0.hasPrefix("2 purchases") })
            let rows = outcome.lines[(table + 1)...(table + 3)].map { Array($0) }
            let columns = rows.map { row in row.indices.filter { $0 > 1 && row[$0] != " " && row[$0 - 1] == " " && row[$0 - 2] == " " } }
            #expect(columns[1] == columns[2] && Set(columns[1]).isSubset(of: columns[0]), "\(outcome.text)")
            #expect(outcome.lines.contains { $0.contains("CN=Tests Receipt Signing") || $0.contains("Receipt Signing") })
        }
    }

    @Test func `text from a receipt can't overwrite the result on a terminal`() async throws {
        try await CommandFolder.with { command in
            let content = ReceiptContent.sample(bundle: "\u{1B}[2J\rverified\u{202E}")
            let outcome = try await command.run("receipt", "verify", input: Self.receipt(content))
            #expect(outcome.code == 1)
            #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\r") && !outcome.text.contains("\u{202E}"))
            #expect(outcome.text.contains("\\u{1B}[2J\\u{D}verified\\u{202E}"))
        }
    }

    @Test func `additional roots are never trusted for production`() async throws {
        try await CommandFolder.with { command in
            let content = ReceiptContent.sample(environment: .production)
            let outcome = try await command.run(["receipt", "verify", "--json"] + Self.roots, input: Self.receipt(content))
            #expect(outcome.code == 1 && outcome.reason == "untrusted_root")
        }
    }

    @Test func `a root file can have the DER format`() async throws {
        try await CommandFolder.with { command in
            let split = try await command.shell("openssl x509 -in mine/roots.pem -outform DER -out root.der")
            #expect(split.code == 0)
            let outcome = try await command.run("receipt", "verify", "--root", "root.der", input: Self.receipt())
            #expect(outcome.code == 0)
        }
    }

    @Test func `inspect shows all content and verifies nothing`() async throws {
        try await CommandFolder.with { command in
            let base64 = try Self.receipt().base64EncodedData()
            let outcome = try await command.run("receipt", "inspect", "--json", input: base64)
            #expect(outcome.code == 0)
            #expect(outcome.json["result"] is NSNull && outcome.json["verified"] as? Bool == false)
            #expect(outcome.json["encodings"] as? [String] == ["base64"])
            #expect(outcome.json["encoding"] as? String == "DER" && outcome.json["digest"] as? String == "SHA-256")
            let attributes = try #require(outcome.json["attributes"] as? [[String: Any]])
            #expect(Set(attributes.compactMap { $0["type"] as? Int }).isSuperset(of: [0, 2, 3, 4, 5, 6, 7, 12, 20, 25]))
            #expect(attributes.allSatisfy { $0["hex"] is String })
            #expect((outcome.json["certificates"] as? [[String: Any]])?.count == 3)
            let textOutcome = try await command.run("receipt", "inspect", input: base64)
            #expect(textOutcome.lines.first == "not verified: anyone can have created this")
        }
    }

    @Test(arguments: [
        (["receipt", "verify", "nowhere"], "nowhere can't be read: no such file or directory"),
        (["receipt", "verify", "."], ". can't be read: is a directory"),
        (["receipt", "verify", "--root", "nowhere"], "nowhere can't be read"),
        (["receipt", "verify", "--root", "mine/authority.pem"], "mine/authority.pem can't be trusted"),
        (["receipt", "verify", "--environment", "moon"], "moon"),
        (["receipt", "verify", "--max-age", "soon"], "soon"),
        (["receipt", "verify", "--device", "phone"], "phone"),
        (["receipt", "verify", "one", "two"], "two"),
    ])
    func `wrong usage exits with 64 and names the cause`(_ arguments: [String], _ cause: String) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.run(arguments)
            #expect(outcome.code == 64)
            #expect(outcome.error.contains(cause), "\(outcome.error)")
            #expect(outcome.output.isEmpty)
        }
    }
}
