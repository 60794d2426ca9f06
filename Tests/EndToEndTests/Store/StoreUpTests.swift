import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing
import TillrollTour

/// `tillroll store up`.
@Suite struct StoreUpTests {
    private static let names: Set<String> = [
        "url", "sandbox_verify_receipt", "production_verify_receipt", "server_api", "root_certificate", "api_key", "key_id", "issuer_id",
        "bundle_id",
    ]

    @Test func `one line of JSON says all that a developer's server needs, and its files are there`() async throws {
        try await RunningStore.with { store in
            #expect(Self.names.isSubset(of: store.answer.keys))
            #expect(store.text("bundle_id") == RunningStore.bundleID.rawValue)
            #expect(try String(contentsOfFile: store.text("root_certificate"), encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
            #expect(try String(contentsOfFile: store.text("api_key"), encoding: .utf8).hasPrefix("-----BEGIN PRIVATE KEY-----"))
            let mode = try FileManager.default.attributesOfItem(atPath: store.text("api_key"))[.posixPermissions] as? Int
            #expect(mode == 0o600)
            for name in ["sandbox_verify_receipt", "production_verify_receipt"] {
                let answer = try await store.shell("curl -sf '\(store.text(name))' -d '{\"receipt-data\":\"AAAA\"}'")
                #expect(answer.json["status"] as? Int == 21002)
            }
            // Nothing more comes on standard output, and the temporary files go with the process.
            let folder = URL(filePath: store.text("api_key")).deletingLastPathComponent().path
            #expect(await store.process.terminate() == 0)
            #expect(await store.process.lines.first { _ in true } == nil)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `a store with a folder goes on where it was, with the same keys, and its sisters too`() async throws {
        try await CommandFolder.with { command in
            let folder = command.folder.file("shop").path
            let first = try await RunningStore.start(["--folder", folder], in: command)
            _ = try await first.json("store", "buy", RunningStore.monthly.rawValue, "--account", "jane")
            _ = try await first.json("store", "make", "--name", "sister", "--keep", "--storekit", RunningStore.storekit)
            let root = try String(contentsOfFile: first.text("root_certificate"), encoding: .utf8)
            // Nobody else may have the folder meanwhile.
            let other = try await command.run("store", "up", "--folder", folder, "--port", "0")
            #expect(other.code == 64 && other.error.contains("is in use"))
            #expect(await first.process.terminate() == 0)

            // The folder knows the app and what it sells.
            let second = try await RunningStore.go(["store", "up", "--folder", folder, "--port", "0", "--json"], in: command)
            for name in ["key_id", "issuer_id", "bundle_id", "api_key"] { #expect(second.text(name) == first.text(name)) }
            #expect(try String(contentsOfFile: second.text("root_certificate"), encoding: .utf8) == root)
            let reply = try await second.json("store", "transactions", "jane")
            #expect((reply["transactions"] as? [String])?.count == 1)
            #expect(try await second.run("store", "list").text.contains("sister"))
            #expect(try await second.run("store", "products").text.contains(RunningStore.monthly.rawValue))
            #expect(await second.process.terminate() == 0)
        }
    }

    @Test func `by TLS a client whose address is fixed gets a certificate for its name, of the one root`() async throws {
        try await RunningStore.with(["--tls-port", "0"]) { store in
            let port = try #require(store.answer["tls_port"] as? Int)
            let root = store.text("root_certificate")
            for host in ["sandbox.itunes.apple.com", "buy.itunes.apple.com"] {
                let answer = try await store.shell(
                    "curl -s --cacert '\(root)' --resolve \(host):\(port):127.0.0.1 https://\(host):\(port)/verifyReceipt -d '{}'")
                #expect(answer.code == 0 && answer.json["status"] is Int, "\(answer.text) \(answer.error)")
            }
            #expect(try await store.shell("curl -sf --cacert '\(root)' \(store.text("tls_url"))/store").json["key_id"] is String)
            // Whoever was not given the root does not believe it.
            #expect(try await store.shell("curl -s \(store.text("tls_url"))/store").code == 60)
        }
    }

    @Test func `a store that other machines reach wants its token from people and tests, not from devices and servers`() async throws {
        try await RunningStore.with(["--host", "0.0.0.0"]) { store in
            #expect(store.text("token").count >= 32)
            #expect(try await store.run("store", "accounts").code == 0)
            let bare = try await store.shell("unset TILLROLL_TOKEN; \"$tillroll\" store accounts")
            #expect(bare.code == 1 && bare.error.contains("--token or TILLROLL_TOKEN"))
            let page = try await store.shell("curl -s -o page -w '%{http_code}' '\(store.text("console"))'; cat page")
            #expect(page.text.hasPrefix("200") && page.text.contains("<html"))
            #expect(try await store.shell("curl -s -o page -w '%{http_code}' '\(store.url)/console/'").text == "401")
            #expect(try await store.shell("curl -sf '\(store.text("sandbox_verify_receipt"))' -d '{}'").json["status"] is Int)
        }
    }

    @Test(arguments: [
        (["--storekit", "broken.storekit"], Int32(1), "lint"), (["--storekit", "nowhere.storekit"], 64, "nowhere.storekit"),
        (["--port", "70000"], 64, "65535"), (["--tls-port", "65536"], 64, "65535"), (["--token", ""], 64, "--token"),
        (["--folder", "/proc/nowhere"], 64, "--folder"), (["--notify", "ftp://x/"], 64, "http"),
        (["--host", "192.0.2.1"], 64, "--host"),
    ])
    func `what cannot be done is said in a sentence`(_ options: [String], _ code: Int32, _ word: String) async throws {
        try await CommandFolder.with { command in
            try command.write(Data("{".utf8), to: "broken.storekit")
            let outcome = try await command.run(["store", "up", "--port", "0"] + options)
            #expect(outcome.code == code && outcome.text.isEmpty && outcome.error.contains(word), "\(outcome.error)")
        }
    }

    @Test func `a port that is taken is named`() async throws {
        try await RunningStore.with { store in
            let port = try #require(URLComponents(string: store.url)?.port)
            for options in [["--port", "\(port)"], ["--port", "0", "--tls-port", "\(port)"]] {
                let outcome = try await store.command.run(["store", "up"] + options)
                #expect(outcome.code == 64 && outcome.error.contains("\(port)") && outcome.error.contains("taken"))
            }
        }
    }
}
