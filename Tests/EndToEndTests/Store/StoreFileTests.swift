import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the export and the import of stores.
@Suite struct StoreFileTests {
    /// The payloads of an account's transactions, without their signed dates.
    private static func history(_ store: RunningStore, of account: String, at name: String? = nil) async throws -> [[String: String]] {
        let address = name.map { "\(store.url)/stores/\($0)" } ?? store.url
        let reply = try await store.json("store", "transactions", account, "--store", address)
        return (reply["summaries"] as? [[String: Any]] ?? []).map { summary in
            var payload = summary["payload"] as? [String: Any] ?? [:]
            payload["signedDate"] = nil
            return payload.mapValues { "\($0)" }
        }
    }

    private static func sell(_ store: RunningStore) async throws {
        for product in [RunningStore.monthly, RunningStore.seeds, RunningStore.shed] {
            _ = try await store.json("store", "buy", product.rawValue, "--account", "jane")
        }
        _ = try await store.json("store", "freeze")
        _ = try await store.json("store", "advance", "100d")
        _ = try await store.json("store", "refund", "--account", "jane", "--product", RunningStore.shed.rawValue)
    }

    @Test func `an imported store has the history and the root of the exported store`() async throws {
        try await RunningStore.with { store in
            try await Self.sell(store)
            let before = try await Self.history(store, of: "jane")
            #expect(before.count == 7)
            let file = try await store.json("store", "export", "shop.tillroll")
            #expect(file["file"] as? String == "shop.tillroll")

            let other = try await RunningStore.start(in: store.command)
            let copy = try await other.json("store", "import", "shop.tillroll", "--name", "copy", "--files", "copied")
            #expect(try await Self.history(other, of: "jane", at: "copy") == before)
            #expect(copy["keyID"] as? String == store.text("keyID"))
            let root = try String(contentsOfFile: store.text("rootCertificate"), encoding: .utf8)
            #expect(try String(contentsOfFile: try #require(copy["rootCertificate"] as? String), encoding: .utf8) == root)
            // The two stores are independent.
            _ = try await other.json("store", "advance", "31d", "--store", "\(other.url)/stores/copy")
            #expect(try await Self.history(other, of: "jane", at: "copy").count == before.count + 1)
            #expect(try await Self.history(store, of: "jane") == before)
            #expect(await other.process.terminate() == 0)
        }
    }

    @Test func `a truncated file and a file of another format are not imported`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "export", "shop.tillroll")
            let bytes = try store.command.read("shop.tillroll")
            try store.command.write(bytes.prefix(bytes.count / 2), to: "half.tillroll")
            for file in ["half.tillroll", store.text("rootCertificate")] {
                let outcome = try await store.run("store", "import", file)
                #expect(outcome.code == 1 && outcome.error.contains("store.invalid-file"))
            }
            #expect(try await store.run("store", "import", "nowhere").code == 64)
            let full = try await store.run("store", "export", "/proc/nowhere/shop")
            #expect(full.code == 74)
            #expect(try await store.run("store", "list").lines.count == 2)
        }
    }

    @Test func `a history from the App Store Server API can be imported, and a second import changes nothing`() async throws {
        try await RunningStore.with { store in
            try await Self.sell(store)
            let first = try await Self.history(store, of: "jane").first?["transactionId"] ?? ""
            let script = """
                token=$("$tillroll" offer sign api-token --key '\(store.text("apiKey"))' --key-id '\(store.text("keyID"))' \
                    --issuer-id '\(store.text("issuerID"))' --bundle-id '\(store.text("bundleID"))')
                curl -sf -H "Authorization: Bearer $token" '\(store.url)/inApps/v2/history/\(first)' > history.json
                curl -sf -H "Authorization: Bearer $token" '\(store.url)/inApps/v1/subscriptions/\(first)' > statuses.json
                """
            #expect(try await store.shell("set -e\n\(script)").code == 0)

            let address = try #require(
                try await store.json("store", "create", "--bundle-id", RunningStore.bundleID.rawValue, "--storekit", RunningStore.storekit)[
                    "url"]
                    as? String)
            // Both files have the newest period, which counts once.
            for (imported, known) in [(7, 0), (0, 7)] {
                let reply = try await store.json(
                    "store", "import-history", "history.json", "statuses.json", "--account", "joan", "--store", address)
                #expect(
                    reply["importedCount"] as? Int == imported && reply["existingCount"] as? Int == known
                        && reply["verifiedCount"] as? Int == 0)
            }
            let name = String(address.dropFirst("\(store.url)/stores/".count))
            let names = ["transactionId", "productId", "purchaseDate", "expiresDate", "revocationDate", "price", "offerType"]
            func comparable(_ history: [[String: String]]) -> Set<[String?]> { Set(history.map { row in names.map { row[$0] } }) }
            #expect(
                comparable(try await Self.history(store, of: "joan", at: name)) == comparable(try await Self.history(store, of: "jane")))
            let empty = try await store.run("store", "import-history", store.text("rootCertificate"), "--account", "joan")
            #expect(empty.code == 64 && empty.error.contains("Get Transaction History"))
        }
    }
}
