import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of `tillroll store up`.
@Suite struct StoreUpTests {
    private static let names: Set<String> = [
        "url", "sandboxVerifyReceipt", "productionVerifyReceipt", "serverAPI", "rootCertificate", "apiKey", "keyID", "issuerID",
        "bundleID",
    ]

    @Test func `one line of JSON has everything that a developer's server needs, and the named files exist`() async throws {
        try await RunningStore.with { store in
            #expect(Self.names.isSubset(of: store.answer.keys))
            #expect(store.text("bundleID") == RunningStore.bundleID.rawValue)
            #expect(try String(contentsOfFile: store.text("rootCertificate"), encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
            #expect(try String(contentsOfFile: store.text("apiKey"), encoding: .utf8).hasPrefix("-----BEGIN PRIVATE KEY-----"))
            let mode = try FileManager.default.attributesOfItem(atPath: store.text("apiKey"))[.posixPermissions] as? Int
            #expect(mode == 0o600)
            for name in ["sandboxVerifyReceipt", "productionVerifyReceipt"] {
                let answer = try await store.shell("curl -sf '\(store.text(name))' -d '{\"receipt-data\":\"AAAA\"}'")
                #expect(answer.json["status"] as? Int == 21002)
            }
            // Standard output has no further line, and the process removes its temporary files.
            let folder = URL(filePath: store.text("apiKey")).deletingLastPathComponent().path
            #expect(await store.process.terminate() == 0)
            #expect(await store.process.lines.first { _ in true } == nil)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `a store with a folder keeps its state and keys, and so do the other stores of the host`() async throws {
        try await CommandFolder.with { command in
            let folder = command.folder.file("shop").path
            let first = try await RunningStore.start(["--folder", folder], in: command)
            _ = try await first.json("store", "buy", RunningStore.monthly.rawValue, "--account", "jane")
            _ = try await first.json("store", "create", "--name", "sister", "--keep", "--storekit", RunningStore.storekit)
            let root = try String(contentsOfFile: first.text("rootCertificate"), encoding: .utf8)
            // Another process cannot use the folder at the same time.
            let other = try await command.run("store", "up", "--folder", folder, "--port", "0")
            #expect(other.code == 64 && other.error.contains("is in use"))
            #expect(await first.process.terminate() == 0)

            // The folder has the app and the catalog.
            let second = try await RunningStore.launch(["store", "up", "--folder", folder, "--port", "0", "--json"], in: command)
            for name in ["keyID", "issuerID", "bundleID", "apiKey"] { #expect(second.text(name) == first.text(name)) }
            #expect(try String(contentsOfFile: second.text("rootCertificate"), encoding: .utf8) == root)
            let reply = try await second.json("store", "transactions", "jane")
            #expect((reply["signedTransactions"] as? [String])?.count == 1)
            #expect(try await second.run("store", "list").text.contains("sister"))
            #expect(try await second.run("store", "products").text.contains(RunningStore.monthly.rawValue))
            #expect(await second.process.terminate() == 0)
        }
    }

    @Test func `a TLS client with a fixed host name gets a certificate for that name from the store's root`() async throws {
        try await RunningStore.with(["--tls-port", "0"]) { store in
            let port = try #require(store.answer["tlsPort"] as? Int)
            let root = store.text("rootCertificate")
            for host in ["sandbox.itunes.apple.com", "buy.itunes.apple.com"] {
                let answer = try await store.shell(
                    "curl -s --cacert '\(root)' --resolve \(host):\(port):127.0.0.1 https://\(host):\(port)/verifyReceipt -d '{}'")
                #expect(answer.code == 0 && answer.json["status"] is Int, "\(answer.text) \(answer.error)")
            }
            #expect(try await store.shell("curl -sf --cacert '\(root)' \(store.text("tlsURL"))/store").json["keyID"] is String)
            // A client without the root refuses the certificate.
            #expect(try await store.shell("curl -s \(store.text("tlsURL"))/store").code == 60)
        }
    }

    @Test func `a store that listens on all interfaces requires a token for the control API, not for devices and servers`() async throws {
        try await RunningStore.with(["--host", "0.0.0.0"]) { store in
            #expect(store.text("token").count >= 32)
            #expect(try await store.run("store", "accounts").code == 0)
            let bare = try await store.shell("unset TILLROLL_TOKEN; \"$tillroll\" store accounts")
            #expect(bare.code == 1 && bare.error.contains("--token or TILLROLL_TOKEN"))
            let page = try await store.shell("curl -s -o page -w '%{http_code}' '\(store.text("console"))'; cat page")
            #expect(page.text.hasPrefix("200") && page.text.contains("<html"))
            #expect(try await store.shell("curl -s -o page -w '%{http_code}' '\(store.url)/console/'").text == "401")
            #expect(try await store.shell("curl -sf '\(store.text("sandboxVerifyReceipt"))' -d '{}'").json["status"] is Int)
        }
    }

    @Test(arguments: [
        (["--storekit", "broken.storekit"], Int32(1), "lint"), (["--storekit", "nowhere.storekit"], 64, "nowhere.storekit"),
        (["--port", "70000"], 64, "65535"), (["--tls-port", "65536"], 64, "65535"), (["--token", ""], 64, "--token"),
        (["--folder", "/proc/nowhere"], 64, "--folder"), (["--notify", "ftp://x/"], 64, "http"),
        (["--host", "192.0.2.1"], 64, "--host"),
    ])
    func `an invalid option ends the store with a message`(_ options: [String], _ code: Int32, _ word: String) async throws {
        try await CommandFolder.with { command in
            try command.write(Data("{".utf8), to: "broken.storekit")
            let outcome = try await command.run(["store", "up", "--port", "0"] + options)
            #expect(outcome.code == code && outcome.text.isEmpty && outcome.error.contains(word), "\(outcome.error)")
        }
    }

    @Test func `the error for a port in use names the port`() async throws {
        try await RunningStore.with { store in
            let port = try #require(URLComponents(string: store.url)?.port)
            for options in [["--port", "\(port)"], ["--port", "0", "--tls-port", "\(port)"]] {
                let outcome = try await store.command.run(["store", "up"] + options)
                #expect(outcome.code == 64 && outcome.error.contains("\(port)") && outcome.error.contains("taken"))
            }
        }
    }
}
