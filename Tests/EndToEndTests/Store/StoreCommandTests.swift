import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// What people and scripts do to a running store.
@Suite struct StoreCommandTests {
    @Test func `a purchase is in the receipt, and after its refund in the events`() async throws {
        try await RunningStore.with { store in
            let bought = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            let transaction = try #require((bought["transaction"] as? [String: Any])?["transactionId"] as? String)
            #expect(bought["outcome"] as? String == "purchased")

            func verified() async throws -> [String: Any]? {
                let script = """
                    "$tillroll" store receipt jane > receipt
                    printf '{"receipt-data":"%s"}' "$(cat receipt)" | curl -sf '\(store.text("sandbox_verify_receipt"))' -d @-
                    """
                let answer = try await store.shell(script).json
                #expect(answer["status"] as? Int == 0)
                return ((answer["receipt"] as? [String: Any])?["in_app"] as? [[String: Any]])?.first
            }
            #expect(try await verified()?["transaction_id"] as? String == transaction)
            #expect(try await verified()?["cancellation_date"] == nil)

            _ = try await store.json("store", "refund", transaction, "--app-fault")
            #expect(try await verified()?["cancellation_reason"] as? String == "1")
            let events = try await store.run("store", "events", "--account", "jane", "--json").lines
            let kinds = try events.map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])["kind"] as? String
            }
            #expect(kinds == ["purchase", "notification", "refund", "notification"])
            let charges = try await store.json("store", "charges", "jane")["charges"] as? [[String: Any]]
            #expect(charges?.compactMap { ($0["amount"] as? [String: Any])?["milliunits"] as? Int }.reduce(0, +) == 0)

            // Reversed, it counts again.
            _ = try await store.json("store", "reverse-refund", transaction)
            #expect(try await verified()?["cancellation_date"] == nil)
        }
    }

    @Test func `time is moved from the shell, and a year of renewals happens in order`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "buy", RunningStore.monthly.rawValue, "--account", "jane")
            _ = try await store.json("store", "freeze")
            #expect(try await store.json("store", "advance", "1y")["factor"] as? Int == 0)
            let all = try await store.json("store", "transactions", "--account", "jane")["summaries"] as? [[String: Any]]
            let starts = all?.compactMap { ($0["payload"] as? [String: Any])?["purchaseDate"] as? Int }
            #expect(starts?.count == 13 && starts == starts?.sorted())
            _ = try await store.json("store", "cancel", "--account", "jane")
            _ = try await store.json("store", "advance", "40d")
            let subscriptions = try await store.json("store", "subscriptions", "jane")["subscriptions"] as? [[String: Any]]
            #expect(subscriptions?.first?["status"] as? Int == 2)
            #expect(try await store.json("store", "speed", "60")["factor"] as? Int == 60)
            #expect(try await store.json("store", "speed", "--rate", "1004")["timeRate"] as? Int == 1004)
            #expect(try await store.json("store", "jump", "2031-01-01")["now"] is Int)
            #expect(try await store.run("store", "jump", "2001-01-01").code == 1)
            for wrong in ["nan", "2000000"] { #expect(try await store.run("store", "speed", wrong).code == 64) }
            #expect(try await store.run("store", "advance", "soon").code == 64)
        }
    }

    @Test func `a parent decides, an interrupted purchase goes on, and a card fails and recovers`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json("store", "account", "kid", "--ask-to-buy", "on", "--family", "smith")
            for decision in ["approve", "decline"] {
                let asked = try await store.json("store", "buy", RunningStore.seeds.rawValue, "--account", "kid")
                #expect(asked["outcome"] as? String == "deferred")
                let payment = try #require(asked["payment"] as? String)
                #expect(try await store.run("store", "approvals").text.contains(payment))
                _ = try await store.json("store", decision, payment)
            }
            #expect((try await store.json("store", "transactions", "kid")["transactions"] as? [String])?.count == 1)

            _ = try await store.json("store", "account", "slow", "--interrupt", "on")
            #expect(try await store.run("store", "buy", RunningStore.seeds.rawValue, "--account", "slow").code == 1)
            let waiting = try await store.json("store", "interruptions")["pending"] as? [[String: Any]]
            _ = try await store.json("store", "resolve", try #require(waiting?.first?["payment"] as? String))
            #expect((try await store.json("store", "transactions", "slow")["transactions"] as? [String])?.count == 1)

            _ = try await store.json("store", "buy", "com.example.garden.almanac.plus", "--account", "poor")
            _ = try await store.json("store", "account", "poor", "--card", "off")
            _ = try await store.json("store", "advance", "32d")
            _ = try await store.json("store", "account", "poor", "--card", "on")
            let types = try await store.json("store", "notifications")["deliveries"] as? [[String: Any]]
            #expect(types?.compactMap { $0["type"] as? String }.contains("DID_FAIL_TO_RENEW") == true)
            #expect(types?.last?["subtype"] as? String == "BILLING_RECOVERY")
        }
    }

    @Test func `each fault is switched on from the shell, felt, and over when its count is`() async throws {
        try await RunningStore.with { store in
            let url = store.text("sandbox_verify_receipt")
            func ask() async throws -> CommandFolder.Outcome {
                try await store.shell("curl -s -o answer -w '%{http_code}' -m 20 '\(url)' -d '{}'; code=$?; echo; cat answer; exit $code")
            }
            _ = try await store.json("store", "fault", "set", "status:503:7", "--on", "verifyReceipt", "--count", "1")
            #expect(try await ask().lines.first == "503")
            _ = try await store.json("store", "fault", "set", "verifyReceipt:21199", "--count", "1")
            #expect(try await ask().text.contains("21199"))
            _ = try await store.json("store", "fault", "set", "lostReply", "--on", "verifyReceipt", "--count", "1")
            #expect(try await ask().code == 52)
            #expect(try await ask().code == 0)

            let refused = try await store.json("store", "fault", "set", "purchaseRefused:2", "--account", "unlucky")
            #expect(try await store.run("store", "buy", RunningStore.seeds.rawValue, "--account", "lucky").code == 0)
            let number = try #require(refused["id"] as? Int)
            #expect(try await store.run("store", "fault", "list").text.contains("purchaseRefused:2"))
            _ = try await store.json("store", "fault", "clear", "\(number)")
            #expect(try await store.run("store", "fault", "list").lines == ["no faults"])

            // What these commands do never fails; a device's receipt does.
            _ = try await store.json("store", "buy", RunningStore.shed.rawValue, "--account", "jane")
            for (fault, code, reason) in [("signing:wrongRoot", Int32(1), "untrusted_root"), (nil, 0, nil)] {
                if let fault {
                    _ = try await store.json("store", "fault", "set", fault)
                } else {
                    _ = try await store.json("store", "fault", "clear")
                }
                let receipt = Data(try await store.run("store", "receipt", "jane").text.utf8)
                let root = store.text("root_certificate")
                let outcome = try await store.run("receipt", "verify", "--root", root, "--json", input: receipt)
                #expect(outcome.code == code && outcome.reason == reason, "\(outcome.text)")
            }
            let wrong = try await store.run("store", "fault", "set", "nonsense")
            #expect(wrong.code == 64 && wrong.error.contains("--help"))
        }
    }

    @Test func `apps, content, limits, promotions, devices and prices are changed from the shell`() async throws {
        try await RunningStore.with { store in
            _ = try await store.json(
                "store", "app", "com.example.second", "--storekit", RunningStore.storekit, "--receipt-order", "ascending")
            #expect(try await store.run("store", "apps").text.contains("com.example.second"))
            try store.command.write(Data("book".utf8), to: "book")
            _ = try await store.json("store", "content", RunningStore.shed.rawValue, "book")
            #expect(try await store.run("store", "content", "com.example.none", "book").code == 1)
            _ = try await store.json("store", "limits", "on")
            _ = try await store.json("store", "account", "jane", "--environment", "production", "--storefront", "DEU", "--share", "on")
            _ = try await store.json("store", "promote", RunningStore.shed.rawValue, "--account", "jane")
            _ = try await store.json("store", "restrict", "00112233-4455-6677-8899-aabbccddeeff")
            _ = try await store.json("store", "buy", "com.example.garden.almanac.plus", "--account", "jane")
            for words in [["raise-price", "--price", "12.99"], ["agree"], ["extend", "--days", "3"], ["renew"], ["expire"]] {
                let outcome = try await store.shell("exec \"$tillroll\" store \"$@\" --account jane --json", words)
                #expect(outcome.code == 0 && outcome.json["status"] is Int, "\(words) \(outcome.error)")
            }
            let asked = try await store.json("store", "ask-refund", "--account", "jane")
            #expect(asked["transaction"] is String)
            #expect(try await store.run("store", "refund-requests").text.contains("pending"))
        }
    }

    @Test func `a refusal is 1, no store is 2, and wrong usage is 64, each with a sentence`() async throws {
        try await RunningStore.with { store in
            for (words, code) in [
                (["refund", "999"], Int32(1)), (["buy", "com.example.none", "--account", "jane"], 1), (["remove", "nobody"], 1),
                (["buy"], 64), (["charges"], 64), (["refund"], 64), (["accounts", "--store", "here"], 64),
                (["accounts", "--store", "http://127.0.0.1:1"], 2),
            ] {
                let outcome = try await store.shell("exec \"$tillroll\" store \"$@\"", words)
                #expect(outcome.code == code, "\(words)")
                #expect(outcome.error.hasPrefix("Error: ") || outcome.text.hasPrefix("refused  "), "\(words) \(outcome.error)")
            }
        }
    }
}
